"""Rules for answers, checked on the running application with a temporary database."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quart.testing import QuartClient

from comanda.accounts import services as accounts
from comanda.composition.app import create_app
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.contracts.stores.verticals import KNOWN_CAPABILITIES, Vertical, VerticalGroup
from comanda.devkit.authoring.declarations import find_place
from comanda.devkit.authoring.findings import Finding
from comanda.platform import runtime
from comanda.platform.runtime import Runtime
from comanda.stores import services as stores

UNUSED_ID = 987_654_321_000
STORE_PATH = "/restaurants/{id}"
# A store type with all declared capabilities and modes, so that no route rejects its stores.
STORE_TYPE = "checked"

# Values that a client may send by mistake or on purpose.
HOSTILE_VALUES: Sequence[Any] = (None, "", "\0", "x" * 100_000, -1, 10**30, 1.5, True, [], [{}], {})


@dataclass(frozen=True, slots=True)
class _CheckOwner:
    auth: dict[str, str]
    store_id: int


async def check_requests(made: Runtime, routes: Sequence[Route]) -> list[Finding]:
    """Call every route of the plugin with unknown ids, ids of another owner and invalid bodies."""
    registry = made.registry
    everything = Vertical(
        STORE_TYPE,
        "Checked",
        VerticalGroup.GOODS,
        tuple(dict.fromkeys((*KNOWN_CAPABILITIES, *registry.item_capabilities))),
        tuple(registry.fulfillment_modes),
    )
    wider = replace(registry, verticals={**registry.verticals, STORE_TYPE: everything})
    made = Runtime(made.settings, wider)
    runtime.use(made)
    app = create_app(made, with_background=False)
    async with app.test_app():
        client = QuartClient(app)
        mine, theirs = await _create_owner("mine"), await _create_owner("theirs")
        return [one for route in routes for one in await _check_route(client, route, mine, theirs)]


async def _create_owner(name: str) -> _CheckOwner:
    owner = await accounts.create_owner(f"{name}@example.com", name)
    kind = runtime.registry().caller_kinds["owner"]
    issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="check")
    store_id = await stores.create_store(owner.id, name, STORE_TYPE, slug=f"checked-{name}")
    return _CheckOwner({"Authorization": f"Bearer {issued.secret}"}, store_id)


async def _check_route(client: QuartClient, route: Route, mine: _CheckOwner, theirs: _CheckOwner) -> list[Finding]:
    auth = mine.auth if "owner" in route.callers else {}
    if route.callers and not auth:
        return []
    found: list[Finding] = []
    if auth and route.prefix == API_PREFIX and route.binding.path_parameters:
        for path in sorted({_fill_path(route, UNUSED_ID), _fill_path(route, theirs.store_id)}):
            found += _check_foreign_id(route, await _send(client, route, path, auth, b"{}"))
    own = _fill_path(route, mine.store_id)
    for body in _list_bodies(route):
        if await _send(client, route, own, auth, body) >= 500:
            found.append(_create_finding(route, "route-stands", f"answers 5xx for the body {body[:60].decode()}"))
            break
    return found


def _check_foreign_id(route: Route, status: int) -> Iterator[Finding]:
    # An invalid body may be rejected before the id is looked up.
    fine = {404} if route.binding.body is None else {404, 409, 422}
    if status >= 500:
        yield _create_finding(route, "route-stands", f"answers {status} for an id of another owner")
    elif status not in fine:
        yield _create_finding(route, "route-hides", f"answers {status} for an id of another owner instead of 404")


def _list_bodies(route: Route) -> Iterator[bytes]:
    yield b"{}"
    if route.binding.body is None:
        return
    yield from (b"", b"[]", b"null", b'"x"', b"{")
    names = [field.alias or name for name, field in route.binding.body.model_fields.items()]
    for value in HOSTILE_VALUES:
        # A single invalid field gets further than many.
        for some in (names, *([name] for name in names)):
            yield json.dumps(dict.fromkeys(some, value)).encode()


def _fill_path(route: Route, store_id: int) -> str:
    path = route.full_path.replace(STORE_PATH, STORE_PATH.replace("{id}", str(store_id)), 1)
    return re.sub(r"\{\w+\}", str(UNUSED_ID), path)


async def _send(client: QuartClient, route: Route, path: str, auth: dict[str, str], body: bytes) -> int:
    headers = {**auth, "Content-Type": "application/json"}
    sent = None if route.method == "GET" else body
    response = await client.open(path, method=route.method, headers=headers, data=sent)
    return response.status_code


def _create_finding(route: Route, rule: str, what: str) -> Finding:
    return Finding(*find_place(route.handler), rule, f"{route.method} {route.full_path} {what}.")
