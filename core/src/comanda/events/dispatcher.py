"""Delivery of outbox events to their handlers, at least once each, by any number of processes."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import orjson
import structlog

from comanda import runtime
from comanda.contracts.events import EventHandler, StoredEvent
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda.observability import OUTBOX_OLDEST_SECONDS, OUTBOX_WAITING

log = structlog.get_logger(__name__)

BATCH_SIZE = 200
LEASE = timedelta(seconds=30)
# A handler that hangs must not block the others for ever. Shorter than the lease, so that no other process starts.
HANDLER_SECONDS = 25.0
POLL_SECONDS = 1.0
BATCHING_SECONDS = 0.02
FIRST_PAUSE_SECONDS = 1
MAX_PAUSE_SECONDS = 600
RETENTION = timedelta(days=7)

# Claims and finishes commit asynchronously: if a crash of PostgreSQL loses one it is repeated, and what handlers wrote
# before it precedes it in the log, so that it is never lost alone.
ASYNCHRONOUS_COMMIT = "set_config('synchronous_commit', 'off', true)"
CLAIM_DUE_EVENTS = f"""
    WITH waiting AS (
        SELECT id, owner_id FROM core_outbox
        WHERE done_at IS NULL AND due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE core_outbox o SET due_at = now() + $2::interval, attempts = o.attempts + 1
    FROM waiting w, (SELECT {ASYNCHRONOUS_COMMIT}) AS asynchronous WHERE o.id = w.id AND o.owner_id = w.owner_id
    RETURNING o.id, o.owner_id, o.store_id, o.name, o.data, o.occurred_at, o.handled, o.attempts
"""
FINISH_EVENTS = f"""
    UPDATE core_outbox o SET done_at = now(), handled = $3::text[]
    FROM unnest($1::bigint[], $2::bigint[]) AS f (id, owner_id), (SELECT {ASYNCHRONOUS_COMMIT}) AS asynchronous
    WHERE o.id = f.id AND o.owner_id = f.owner_id
"""
POSTPONE_EVENT = """
    UPDATE core_outbox SET due_at = now() + make_interval(secs => $3), handled = $4::text[], last_error = $5
    WHERE id = $1 AND owner_id = $2
"""
SELECT_QUEUE_STATE = """
    SELECT count(*) AS waiting, min(occurred_at) AS oldest, min(due_at) AS due, now() AS moment
    FROM core_outbox WHERE done_at IS NULL
"""


class EventProgress:
    """The progress of one claimed event: the handlers that succeeded, and the error of the others."""

    def __init__(self, event: StoredEvent, handled: Sequence[str], attempts: int) -> None:
        self.event = event
        self.handled = list(handled)
        self.attempts = attempts
        self.error: str | None = None


async def run(wake: WakeEvent) -> None:
    """Dispatch events as long as the process runs.

    The first event after a pause is dispatched at once; the next ones are batched, so that a rush of orders needs a few
    large batches instead of a claim for each.
    """
    while True:
        while await dispatch_batch() == BATCH_SIZE:
            pass
        await asyncio.sleep(BATCHING_SECONDS)
        await wake.wait(POLL_SECONDS)


async def dispatch_batch() -> int:
    """Dispatch up to ``BATCH_SIZE`` due events to their handlers and return their number."""
    batch = [_to_progress(row) for row in await sql.fetch(CLAIM_DUE_EVENTS, BATCH_SIZE, LEASE)]
    if not batch:
        return 0
    batch.sort(key=lambda progress: progress.event.id)
    handlers = runtime.registry().event_handlers
    for handler in handlers:
        await _handle(handler, [p for p in batch if handler.name not in p.handled and handler.wants(p.event.name)])
    done = [progress for progress in batch if progress.error is None]
    if done:
        names = [handler.name for handler in handlers]
        await sql.execute(FINISH_EVENTS, [p.event.id for p in done], [p.event.owner_id for p in done], names)
    for progress in batch:
        if progress.error is not None:
            pause = min(FIRST_PAUSE_SECONDS * 4 ** (progress.attempts - 1), MAX_PAUSE_SECONDS)
            event = progress.event
            await sql.execute(POSTPONE_EVENT, event.id, event.owner_id, pause, progress.handled, progress.error[:1000])
    return len(batch)


async def _handle(handler: EventHandler, batch: Sequence[EventProgress]) -> None:
    """Call a handler with a batch, and after an error with each event, so that one event does not block others."""
    if not batch:
        return
    try:
        async with asyncio.timeout(HANDLER_SECONDS):
            await handler.handle([progress.event for progress in batch])
    except Exception as error:
        if len(batch) > 1:
            for progress in batch:
                await _handle(handler, [progress])
            return
        log.exception("event_handler_failed", handler=handler.name, event_id=batch[0].event.id)
        batch[0].error = f"{handler.name}: {error!r}"
        return
    for progress in batch:
        progress.handled.append(handler.name)


def _to_progress(row: sql.Row) -> EventProgress:
    event = StoredEvent(
        id=row["id"],
        owner_id=row["owner_id"],
        store_id=row["store_id"],
        name=row["name"],
        data=orjson.loads(row["data"]),
        occurred_at=row["occurred_at"],
    )
    return EventProgress(event, row["handled"], row["attempts"])


async def measure_queue() -> tuple[int, float]:
    """Return how many events wait, and for how many seconds the longest due one has been overdue.

    Also updates the metrics: the number, and the age of the oldest event, which grows while a handler keeps failing.
    """
    row = await sql.one(SELECT_QUEUE_STATE)
    oldest: datetime | None = row["oldest"]
    age = (row["moment"] - oldest).total_seconds() if oldest else 0.0
    OUTBOX_WAITING.set(row["waiting"])
    OUTBOX_OLDEST_SECONDS.set(age)
    due: datetime | None = row["due"]
    return row["waiting"], max(0.0, (row["moment"] - due).total_seconds()) if due else 0.0


async def prune_events() -> int:
    """Delete events that all handlers finished longer than ``RETENTION`` ago and return their number."""
    return await sql.execute("DELETE FROM core_outbox WHERE done_at < now() - $1::interval", RETENTION)
