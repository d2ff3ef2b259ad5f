"""Calls of participants' steps. A failure is logged and answered with the name of the plugin, never with 500."""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import structlog
from tortoise.exceptions import OperationalError
from tortoise.exceptions import ValidationError as FieldError

from comanda.basics.errors import ComandaError, Conflict
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.charges import InvalidContribution
from comanda.contracts.orders.participants import (
    OrderParticipant,
    OrderRequest,
    PlacedOrder,
    StoreParticipant,
    StoreTerms,
)
from comanda.contracts.requests.callers import Caller
from comanda.platform import plugin_calls, runtime
from comanda.platform.db import sql
from comanda.platform.db.errors import UNSTORABLE_TEXT_ERRORS
from comanda.platform.observability import PLUGIN_FAILURES
from comanda.platform.plugin_calls import LimitedStep, plugin_context
from comanda.stores.records import find_vertical

log = structlog.get_logger(__name__)

# The plugin has to be repaired or removed, so asking again at once is in vain.
RETRY_AFTER_SECONDS = 60
CORE = "core"
# What the metric of failures calls the part that a plugin takes in an order.
STEP = "order"

# What the request, or the state of the database, is to blame for.
PASSED_ERRORS: tuple[type[Exception], ...] = (
    ComandaError,
    *plugin_calls.DATABASE_ERRORS,
    *UNSTORABLE_TEXT_ERRORS,
    FieldError,
)


class ParticipantFailed(plugin_calls.PluginFailed):
    """A plugin that takes part in an order failed, or returned what cannot be used. Nothing of the order is written."""

    def __init__(self, plugin: str, *, retry_after_seconds: int = RETRY_AFTER_SECONDS) -> None:
        super().__init__(plugin, STEP, retry_after_seconds=retry_after_seconds)
        self.message = f"The plugin {plugin} could not take part in this order, so it was not placed."


class PluginConflict(Conflict):
    """Two plugins contribute the same thing to an order. Nothing of the order is written."""

    def __init__(self, one: str, other: str, what: str) -> None:
        super().__init__(
            f"The plugins {one} and {other} both set {what}, so this order cannot be placed.",
            extras={"reason": "plugin_conflict"},
        )
        log.error("two plugins contribute the same to an order", plugin=one, other_plugin=other, what=what)


def call_step(part: StoreParticipant, step: Callable[..., Any], *values: Any) -> Any:
    """Call a step that runs in memory. Raises ``ParticipantFailed`` for everything that is not a ``ComandaError``."""
    with plugin_context(part.plugin):
        try:
            return step(*values)
        except ComandaError:
            raise
        except (Exception, SystemExit) as error:
            _raise_failed(part, error, getattr(step, "__name__", None))


async def await_preparation(part: StoreParticipant, body: OrderBody, caller: Caller, terms: StoreTerms) -> Any:
    """Await the step ``prepare`` before an order is priced, with the errors of ``await_step``."""
    prepare = part.participant.prepare
    if prepare is None:
        return None
    with plugin_context(part.plugin):
        try:
            with LimitedStep(part.plugin, part.participant, "prepare", terms.id):
                return await prepare(body, caller, terms, part.loaded)
        except plugin_calls.StepPaused as error:
            raise ParticipantFailed(part.plugin, retry_after_seconds=error.retry_after_seconds) from error
        except PASSED_ERRORS:
            raise
        except (Exception, SystemExit) as error:
            _raise_failed(part, error, "prepare")


async def await_step(part: StoreParticipant, name: str, request: OrderRequest, *values: Any) -> Any:
    """Await a step in the order's transaction, if there is one.

    Raises ``ParticipantFailed`` if it fails or hangs, or has hung in this store several times in a row. Errors of the
    database pass if they may tell of an outage or of a conflict with another request; a statement that cannot be run
    is the plugin's, and so is the end of the order's transaction.
    """
    step = getattr(part.participant, name)
    if step is None:
        return None
    with plugin_context(part.plugin):
        try:
            with LimitedStep(part.plugin, part.participant, name, request.terms.id):
                answer = await step(request, part.loaded, *values)
        except plugin_calls.StepPaused as error:
            raise ParticipantFailed(part.plugin, retry_after_seconds=error.retry_after_seconds) from error
        except PASSED_ERRORS:
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, OperationalError) and isinstance(error.__cause__, PASSED_ERRORS):
                raise
            _raise_failed(part, error, name)
        if not sql.is_transaction_open():
            _raise_failed(part, InvalidContribution("it has ended the order's transaction"), name)
        return answer


def list_participants(order: PlacedOrder) -> list[OrderParticipant]:
    """List the participants of an order that has been placed, whether or not they were concerned by it then."""
    vertical = find_vertical(order.store_type)
    return runtime.registry().participants(vertical, order.type) if vertical else []


def require_loaded(parts: Iterable[StoreParticipant]) -> None:
    """Raise ``ParticipantFailed`` if a participant could not load what it needs to know of the store."""
    for part in parts:
        if not part.is_loaded:
            raise ParticipantFailed(part.plugin)


def check_answer(part: StoreParticipant, answer: Any, kind: type, step: str) -> Any:
    """Return what a step has returned. Raises ``ParticipantFailed`` unless it is a ``kind``."""
    if not isinstance(answer, kind):
        problem = f"{step} must return {kind.__name__} or None, not {type(answer).__name__}"
        _raise_failed(part, InvalidContribution(problem), step)
    return answer


def fail(part: StoreParticipant, problem: str) -> NoReturn:
    """Raise ``ParticipantFailed`` for a contribution that cannot be used."""
    _raise_failed(part, InvalidContribution(problem), None)


def _raise_failed(part: StoreParticipant, error: BaseException, step: str | None) -> NoReturn:
    PLUGIN_FAILURES.labels(part.plugin, STEP).inc()
    is_invalid = isinstance(error, InvalidContribution)
    log.error(
        "a plugin could not take part in an order",
        plugin=part.plugin,
        participant=part.participant.name,
        step=step,
        problem=str(error) or repr(error),
        exc_info=None if is_invalid else error,
    )
    raise ParticipantFailed(part.plugin) from error
