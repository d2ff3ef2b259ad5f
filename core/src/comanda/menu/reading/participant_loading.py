"""Loading of what order participants need to know of a store, without depending on it that they succeed.

A participant that fails to load takes down the orders that it joins, and nothing else: the menu is shown and other
orders go on. It is tried again in the background, after pauses that grow, so that no request waits for it twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cachetools import LRUCache

from comanda.contracts.orders.participants import OrderParticipant, StoreParticipant, StoreTerms
from comanda.platform import runtime
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.plugin_calls import PluginFailed, call_plugin

FIRST_PAUSE_SECONDS: Final = 1.0
MAX_PAUSE_SECONDS: Final = 60.0
SLOW_SECONDS: Final = 0.1
MAX_FAILURES: Final = 5000

Parts = Mapping[str, tuple[StoreParticipant, ...]]
Load = Callable[[StoreTerms], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class FailedLoad:
    """The last failure to load from a store: when it may be tried again, in seconds of the event loop.

    After one that ``was_slow`` no reader of the menu waits for the next attempt.
    """

    retry_at: float
    pause_seconds: float
    was_slow: bool


@dataclass(frozen=True, slots=True)
class LoadAttempt:
    """What participants with the same function have loaded, if it ``has_succeeded``."""

    loaded: Any
    has_succeeded: bool = True


NOTHING_LOADED: Final = LoadAttempt(None)
FAILED: Final = LoadAttempt(None, has_succeeded=False)
# By the store and the function that failed, which several participants may share.
_failures: LRUCache[tuple[int, Load], FailedLoad] = LRUCache(MAX_FAILURES)
_retries: dict[int, asyncio.Task[None]] = {}


async def load_participants(terms: StoreTerms) -> Parts:
    """Return the participants in a store's orders, by mode. Those that hung lately are not tried again here."""
    return await _load(terms, is_retry=False)


def retry_failed_loads(terms: StoreTerms, use_parts: Callable[[Parts], None]) -> None:
    """Start loading again what failed in a store, if its pause is over; pass the participants to ``use_parts``."""
    failed = {part.participant.load for parts in terms.parts.values() for part in parts if not part.is_loaded}
    if not failed or terms.id in _retries:
        return
    loop = asyncio.get_running_loop()
    if any(_is_due(terms.id, load, loop.time()) for load in failed if load is not None):
        task = _retries[terms.id] = loop.create_task(_retry(terms, use_parts))
        task.add_done_callback(lambda _: _retries.pop(terms.id, None))


async def _retry(terms: StoreTerms, use_parts: Callable[[Parts], None]) -> None:
    try:
        use_parts(await _load(terms, is_retry=True))
    except TRANSIENT_ERRORS:
        return  # the next reader of the menu notices the outage, and starts the next attempt


async def _load(terms: StoreTerms, *, is_retry: bool) -> Parts:
    vertical = terms.vertical
    if vertical is None:
        return {}
    by_mode = {mode: runtime.registry().participants(vertical, mode) for mode in vertical.fulfillment_modes}
    participants = {participant.name: participant for found in by_mode.values() for participant in found}
    attempts: dict[Load, LoadAttempt] = {}
    for participant in participants.values():
        load = participant.load
        if load is not None and load not in attempts:
            attempts[load] = await _attempt(terms, participant, load, is_retry=is_retry)
    loaded = {name: _to_part(participant, attempts) for name, participant in participants.items()}
    return {mode: tuple(loaded[each.name] for each in found) for mode, found in by_mode.items() if found}


def _to_part(participant: OrderParticipant, attempts: Mapping[Load, LoadAttempt]) -> StoreParticipant:
    plugin = runtime.registry().find_plugin("order participant", participant.name) or participant.name
    attempt = NOTHING_LOADED if participant.load is None else attempts[participant.load]
    return StoreParticipant(participant, attempt.loaded, plugin, is_loaded=attempt.has_succeeded)


async def _attempt(terms: StoreTerms, participant: OrderParticipant, load: Load, *, is_retry: bool) -> LoadAttempt:
    key = (terms.id, load)
    loop = asyncio.get_running_loop()
    started = loop.time()
    failure = _failures.get(key)
    if failure is not None and (started < failure.retry_at if is_retry else failure.was_slow):
        return FAILED
    try:
        loaded: Any = await call_plugin(participant, "load", load, terms)
    except PluginFailed:
        pause = min(failure.pause_seconds * 2, MAX_PAUSE_SECONDS) if failure else FIRST_PAUSE_SECONDS
        moment = loop.time()
        _failures[key] = FailedLoad(moment + pause, pause, was_slow=moment - started > SLOW_SECONDS)
        return FAILED
    _failures.pop(key, None)
    return LoadAttempt(loaded)


def _is_due(store_id: int, load: Load, moment: float) -> bool:
    failure = _failures.get((store_id, load))
    return failure is None or moment >= failure.retry_at
