"""The refusals that an operation can answer with: statuses and stable codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from comanda.basics import errors
from comanda.basics.errors import ComandaError
from comanda.contracts.requests.routes import ANY_SCOPE, Route

KINDS: Final[dict[int, type[ComandaError]]] = {
    kind.status: kind
    for kind in (
        errors.BadRequest,
        errors.Unauthenticated,
        errors.PaymentRequired,
        errors.Forbidden,
        errors.NotFound,
        errors.Conflict,
        errors.PayloadTooLarge,
        errors.UnsupportedMediaType,
        errors.ValidationFailed,
        errors.RateLimited,
    )
}
# A status in the sentences of a route's description, such as "409 with shift_closed".
STATUS: Final = re.compile(r"\b(4\d\d)\b")


def list_refusals(route: Route) -> list[tuple[int, str]]:
    """List the statuses with their codes: those that follow from the declaration, and those that its text names."""
    statuses = {*_list_declared(route), *map(int, STATUS.findall(route.description))}
    return [(status, KINDS[status].code) for status in sorted(statuses) if status in KINDS]


def _list_declared(route: Route) -> Iterator[int]:
    yield 429
    if route.callers:
        yield 401
    if route.callers and (route.scope != ANY_SCOPE or route.feature):
        yield 403
    if route.binding.path_parameters:
        yield 404
    if route.binding.body is not None:
        yield from (400, 413, 415)
    if route.binding.body is not None or route.binding.query is not None:
        yield 422
