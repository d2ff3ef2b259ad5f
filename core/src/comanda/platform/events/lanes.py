"""The lanes of event handlers: the events that one handler has yet to deal with, apart from all others.

An event is in the lane of a handler that failed with it, hung, or was busy. The lane is a queue of its own, so that
such a handler delays its own events and no others.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import orjson

from comanda.basics import clock
from comanda.contracts.background.events import StoredEvent
from comanda.contracts.background.queues import (
    SAVE_SECONDS,
    UNLIMITED_RETRIES,
    ClaimedRow,
    DeadLetters,
    LeasedQueue,
    QueueLimits,
    QueueTable,
    QueueWork,
    RowResult,
)
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.events.handler_calls import get_caller
from comanda.platform.observability import HANDLER_OLDEST_SECONDS, HANDLER_WAITING
from comanda.platform.queue.leases import MAX_ERROR_LENGTH, save_results
from comanda.platform.tasks import notifier

BATCH_SIZE: Final = 50
# A call waits for the one before it, and both end by the deadline of handlers.
CALLS_WAITED_FOR: Final = 2
# A lane is reported when its oldest event has waited for longer.
DEGRADED_SECONDS: Final = 60.0

LANES: Final = QueueTable(
    "core_event_lane",
    columns=("event_id", "handler"),
    due="due_at",
    share_by="handler",
    share_type="text",
    error="last_error",
    uses_database_clock=True,
)

INSERT_LANE_EVENTS = """
    INSERT INTO core_event_lane AS l
        (owner_id, event_id, handler, due_at, leased_until, attempts, last_error, created_at)
    SELECT n.owner_id, n.event_id, $3, now() + $8::interval + $4::interval, now() + $8::interval + $5::interval, $6, $7,
        now() + $8::interval
    FROM unnest($1::bigint[], $2::bigint[]) AS n (event_id, owner_id),
        (SELECT set_config('synchronous_commit', 'off', true)) AS quick
    ON CONFLICT DO NOTHING
    RETURNING l.id, l.owner_id, l.event_id, l.due_at, l.leased_until
"""
SELECT_EVENTS = """
    SELECT o.id, o.owner_id, o.store_id, o.name, o.data, o.occurred_at
    FROM unnest($1::bigint[], $2::bigint[]) AS w (id, owner_id)
    JOIN core_outbox o ON o.id = w.id AND o.owner_id = w.owner_id
"""
SELECT_LANE_STATES = """
    SELECT handler, count(*) AS waiting,
        extract(epoch FROM now() + $1::interval - min(created_at))::float8 AS oldest_seconds
    FROM core_event_lane GROUP BY handler ORDER BY handler
"""


@dataclass(frozen=True, slots=True)
class LaneState:
    """How many events wait in a lane, and for how long the oldest has."""

    handler: str
    waiting: int
    oldest_seconds: float

    @property
    def is_degraded(self) -> bool:
        """Whether the handler keeps failing or hanging."""
        return self.oldest_seconds > DEGRADED_SECONDS


async def add_events(handler: str, events: Sequence[StoredEvent]) -> None:
    """Add events that a handler has not been called with, and wake the lanes."""
    await _insert(handler, events)
    notifier.notify(QUEUE.name)


async def add_failed_events(handler: str, results: Mapping[str, Collection[StoredEvent]]) -> None:
    """Add events that a handler has failed with, by the text of the error."""
    pause = UNLIMITED_RETRIES.get_delay(1)
    for error, events in results.items():
        await _insert(handler, list(events), due=pause, attempts=1, error=error[:MAX_ERROR_LENGTH])


async def add_running_events(handler: str, events: Sequence[StoredEvent]) -> Mapping[tuple[int, int], ClaimedRow]:
    """Add events that a handler is being called with, leased to this process; return their rows by event and owner."""
    lease = timedelta(seconds=runtime.settings().handler_timeout_seconds * CALLS_WAITED_FOR + SAVE_SECONDS)
    rows = await _insert(handler, events, lease=lease)
    return {
        (row["event_id"], row["owner_id"]): ClaimedRow(
            id=row["id"],
            owner_id=row["owner_id"],
            attempt=1,
            due_at=row["due_at"],
            leased_until=row["leased_until"],
            share=handler,
        )
        for row in rows
    }


async def finish_running_events(
    rows: Mapping[tuple[int, int], ClaimedRow], events: Sequence[StoredEvent], results: Sequence[object]
) -> None:
    """Save the results of a call with running events."""
    found = [
        (rows[event.id, event.owner_id], result)
        for event, result in zip(events, results, strict=True)
        if (event.id, event.owner_id) in rows
    ]
    await save_results(LANES, UNLIMITED_RETRIES, found)


async def measure_lanes() -> list[LaneState]:
    """Return the states of all lanes with events, and update their metrics."""
    states = [LaneState(**row) for row in await sql.fetch(SELECT_LANE_STATES, clock.get_offset())]
    by_handler = {state.handler: state for state in states}
    for name in {*by_handler, *(handler.name for handler in runtime.registry().event_handlers)}:
        state = by_handler.get(name)
        HANDLER_WAITING.labels(name).set(state.waiting if state else 0)
        HANDLER_OLDEST_SECONDS.labels(name).set(state.oldest_seconds if state else 0.0)
    return states


async def _insert(
    handler: str,
    events: Sequence[StoredEvent],
    *,
    due: timedelta | None = None,
    lease: timedelta | None = None,
    attempts: int = 0,
    error: str | None = None,
) -> list[sql.Row]:
    ids, owner_ids = [event.id for event in events], [event.owner_id for event in events]
    return await sql.fetch(
        INSERT_LANE_EVENTS, ids, owner_ids, handler, due or timedelta(), lease, attempts, error, clock.get_offset()
    )


async def _load_events(rows: Sequence[ClaimedRow]) -> Sequence[ClaimedRow]:
    found = await sql.fetch(SELECT_EVENTS, [row.values["event_id"] for row in rows], [row.owner_id for row in rows])
    events = {(row["id"], row["owner_id"]): to_stored_event(row["id"], row["owner_id"], row) for row in found}
    return [replace(row, values={"event": events[row.values["event_id"], row.owner_id]}) for row in rows]


async def _handle(rows: Sequence[ClaimedRow]) -> Sequence[object]:
    """Call the handler of a lane: with new events at once, with those that failed before one by one."""
    name = rows[0].share
    handler = next((one for one in runtime.registry().event_handlers if one.name == name), None)
    if handler is None:
        error = LookupError(f"The handler {name} is not installed.")
        return [error] * len(rows)
    fresh = [row for row in rows if row.attempt == 1]
    batch = fresh or rows[:1]
    caller = get_caller(handler)
    results = await caller.call([row.values["event"] for row in batch])
    by_row = dict(zip((row.id for row in batch), results, strict=True))
    return [by_row.get(row.id, RowResult.RELEASED) for row in rows]


def to_stored_event(event_id: int, owner_id: int, row: Mapping[str, Any] | sql.Row) -> StoredEvent:
    """Return an event as handlers receive it."""
    return StoredEvent(
        id=event_id,
        owner_id=owner_id,
        store_id=row["store_id"],
        name=row["name"],
        data=orjson.loads(row["data"]),
        occurred_at=row["occurred_at"],
    )


@asynccontextmanager
async def _open_work() -> AsyncIterator[QueueWork]:
    seconds = runtime.settings().handler_timeout_seconds * CALLS_WAITED_FOR + 5.0
    limits = QueueLimits(batch_size=BATCH_SIZE, max_in_flight=50, max_per_share=1, deadline_seconds=seconds)
    yield QueueWork(_handle, limits, prepare=_load_events, retries=UNLIMITED_RETRIES)


EVENT_OF_HANDLER: Final = """q.handler || ': ' || (
    SELECT o.name FROM core_outbox o WHERE o.id = q.event_id AND o.owner_id = q.owner_id)"""
QUEUE: Final = LeasedQueue("event_lanes", LANES, _open_work, DeadLetters(title=EVENT_OF_HANDLER))
