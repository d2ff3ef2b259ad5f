"""Delivery of outbox events to their handlers, at least once each, by any number of processes.

A batch of events is one claim, one call of each handler, all at the same time, and one statement that finishes it. It
waits for no handler: the events of one that fails, hangs or is busy go to that handler's lane.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from comanda.basics import clock
from comanda.contracts.background.events import StoredEvent
from comanda.contracts.background.queues import (
    UNLIMITED_RETRIES,
    ClaimedRow,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RowResult,
)
from comanda.contracts.data.log_tables import LogTable, Period
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.db.partitions import is_partitioned
from comanda.platform.events import lanes
from comanda.platform.events.handler_calls import HandlerCaller, get_caller
from comanda.platform.events.outbox import CHANNEL
from comanda.platform.observability import OUTBOX_OLDEST_SECONDS, OUTBOX_WAITING
from comanda.platform.queue.leases import claim_rows, save_results

log = structlog.get_logger(__name__)

BATCH_SIZE = 200
LEASE = timedelta(seconds=30)
# How long a batch waits for its slowest handler, which it delays the following events by.
PATIENCE_SECONDS: Final = 0.5
BATCHING_SECONDS: Final = 0.02
RETENTION = timedelta(days=7)

OUTBOX: Final = QueueTable(
    "core_outbox",
    columns=("store_id", "name", "data", "occurred_at"),
    due="due_at",
    leased_until="due_at",
    created="occurred_at",
    condition="q.done_at IS NULL",
    done="done_at = {moment}",
    uses_database_clock=True,
)
IS_IN_LANE = "EXISTS (SELECT FROM core_event_lane l WHERE l.event_id = q.id AND l.owner_id = q.owner_id)"
# Rows are many and kept for a few days, so that a month of them would be much to keep for longer.
LOG: Final = LogTable(
    OUTBOX.name, Period.WEEK, lambda: RETENTION, kept=f"q.done_at IS NULL OR q.done_at >= $1 OR {IS_IN_LANE}"
)
SELECT_QUEUE_STATE = """
    SELECT count(*) AS waiting, min(occurred_at) AS oldest, min(due_at) AS due, now() + $1::interval AS moment
    FROM core_outbox WHERE done_at IS NULL
"""
DELETE_OLD_EVENTS = f"""
    DELETE FROM core_outbox q WHERE q.done_at < now() + $2::interval - $1::interval AND NOT {IS_IN_LANE}
"""


@dataclass(frozen=True, slots=True)
class HandlerCall:
    """A call of a handler with the events of a batch that it handles."""

    caller: HandlerCaller
    events: Sequence[StoredEvent]
    task: asyncio.Task[list[object]]

    @property
    def name(self) -> str:
        """The name of the handler."""
        return self.caller.handler.name


# Calls that a batch did not wait for.
_running: set[asyncio.Task[None]] = set()


async def dispatch_batch(limit: int = BATCH_SIZE) -> int:
    """Dispatch up to ``limit`` due events to their handlers, wait until each has ended, and return their number."""
    rows = await claim_rows(OUTBOX, limit, LEASE)
    if rows:
        await _dispatch(rows, patience=None)
        await save_results(OUTBOX, UNLIMITED_RETRIES, [(row, None) for row in rows])
    return len(rows)


async def _dispatch(rows: Sequence[ClaimedRow], patience: float | None = PATIENCE_SECONDS) -> None:
    """Call every handler with the events it handles, and put in its lane what it has not dealt with in time."""
    events = [lanes.to_stored_event(row.id, row.owner_id, row.values) for row in sorted(rows, key=lambda row: row.id)]
    names = {event.name for event in events}
    calls: list[HandlerCall] = []
    for handler in runtime.registry().event_handlers:
        wanted_names = {name for name in names if handler.wants(name)}
        wanted = [event for event in events if event.name in wanted_names] if wanted_names else []
        caller = get_caller(handler)
        if wanted and (caller.is_busy or caller.is_suspended):
            await lanes.add_events(handler.name, wanted)
        elif wanted:
            calls.append(HandlerCall(caller, wanted, asyncio.create_task(caller.call(wanted))))
    if not calls:
        return
    try:
        await asyncio.wait({call.task for call in calls}, timeout=patience)
    except asyncio.CancelledError:
        for call in calls:
            call.task.cancel()
        raise
    for call in calls:
        if call.task.done():
            await _put_failures_in_lane(call)
        else:
            await _leave_running(call)


async def _put_failures_in_lane(call: HandlerCall) -> None:
    failed: dict[str, list[StoredEvent]] = {}
    untried: list[StoredEvent] = []
    for event, result in zip(call.events, call.task.result(), strict=True):
        if isinstance(result, Exception):
            failed.setdefault(repr(result).replace("\0", ""), []).append(event)
        elif result is RowResult.RELEASED:
            untried.append(event)
    if failed:
        await lanes.add_failed_events(call.name, failed)
    if untried:
        await lanes.add_events(call.name, untried)


async def _leave_running(call: HandlerCall) -> None:
    """Put the events of a call in progress in the lane of its handler, and take them out once it has succeeded."""
    try:
        rows = await lanes.add_running_events(call.name, call.events)
    except BaseException:
        call.task.cancel()
        raise

    async def finish() -> None:
        try:
            await lanes.finish_running_events(rows, call.events, await call.task)
        except TRANSIENT_ERRORS as error:
            # The leases end, and the handler receives the events again.
            log.warning("event_handler_result_lost", handler=call.name, error=repr(error))
        finally:
            call.task.cancel()

    task = asyncio.create_task(finish())
    _running.add(task)
    task.add_done_callback(_running.discard)


async def measure_queue() -> tuple[int, float]:
    """Return how many events wait, and for how many seconds the longest due one has been overdue.

    Also updates the metrics: the number, and the age of the oldest event.
    """
    row = await sql.one(SELECT_QUEUE_STATE, clock.get_offset())
    oldest: datetime | None = row["oldest"]
    age = (row["moment"] - oldest).total_seconds() if oldest else 0.0
    OUTBOX_WAITING.set(row["waiting"])
    OUTBOX_OLDEST_SECONDS.set(age)
    due: datetime | None = row["due"]
    return row["waiting"], max(0.0, (row["moment"] - due).total_seconds()) if due else 0.0


async def prune_events() -> int:
    """Delete events that all handlers finished longer than ``RETENTION`` ago and return their number.

    Does nothing if their table is partitioned.
    """
    if await is_partitioned(LOG.name):
        return 0
    return await sql.execute(DELETE_OLD_EVENTS, RETENTION, clock.get_offset())


@asynccontextmanager
async def _open_work() -> AsyncIterator[QueueWork]:
    # One batch at a time; the next is claimed meanwhile if there is more than one.
    limits = QueueLimits(batch_size=BATCH_SIZE, max_in_flight=1, pause_seconds=BATCHING_SECONDS)
    try:
        yield QueueWork(_dispatch, limits)
    finally:
        unfinished = list(_running)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)


QUEUE: Final = LeasedQueue(CHANNEL, OUTBOX, _open_work)
