"""Takes events from the outbox to their handlers, at least once each, from any number of processes."""

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

BATCH = 200
LEASE = timedelta(seconds=30)
# A handler that hangs must not hold up the others for ever. Less than the lease, so that nobody else began meanwhile.
HANDLER_SECONDS = 25.0
POLL_SECONDS = 1.0
GATHER_SECONDS = 0.02
FIRST_PAUSE_SECONDS = 1
LONGEST_PAUSE_SECONDS = 600
KEPT = timedelta(days=7)

# Neither statement waits for the disk: a claim or a finish that a crash of PostgreSQL takes back is done again, and
# what handlers wrote before it is older in the log, so it cannot be lost alone.
LAZILY = "set_config('synchronous_commit', 'off', true)"
CLAIM = f"""
    WITH waiting AS (
        SELECT id, owner_id FROM core_outbox
        WHERE done_at IS NULL AND due_at <= now() ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE core_outbox o SET due_at = now() + $2::interval, attempts = o.attempts + 1
    FROM waiting w, (SELECT {LAZILY}) AS lazily WHERE o.id = w.id AND o.owner_id = w.owner_id
    RETURNING o.id, o.owner_id, o.store_id, o.name, o.data, o.occurred_at, o.handled, o.attempts
"""
FINISH = f"""
    UPDATE core_outbox o SET done_at = now(), handled = $3::text[]
    FROM unnest($1::bigint[], $2::bigint[]) AS f (id, owner_id), (SELECT {LAZILY}) AS lazily
    WHERE o.id = f.id AND o.owner_id = f.owner_id
"""
POSTPONE = """
    UPDATE core_outbox SET due_at = now() + make_interval(secs => $3), handled = $4::text[], last_error = $5
    WHERE id = $1 AND owner_id = $2
"""
QUEUE = """
    SELECT count(*) AS waiting, min(occurred_at) AS oldest, min(due_at) AS due, now() AS moment
    FROM core_outbox WHERE done_at IS NULL
"""


class Progress:
    """One event in hand: which handlers are through with it, and what stopped the others."""

    def __init__(self, event: StoredEvent, handled: Sequence[str], attempts: int) -> None:
        self.event = event
        self.handled = list(handled)
        self.attempts = attempts
        self.error: str | None = None


async def run(wake: WakeEvent) -> None:
    """Dispatch for as long as the process lives.

    The first event after a quiet moment goes out at once; the next ones are gathered, so that a rush of orders costs a
    few large batches and not a claim for each.
    """
    while True:
        while await dispatch_batch() == BATCH:
            pass
        await asyncio.sleep(GATHER_SECONDS)
        await wake.wait(POLL_SECONDS)


async def dispatch_batch() -> int:
    """Take up to ``BATCH`` due events to their handlers; return how many were due."""
    batch = [_progress(row) for row in await sql.fetch(CLAIM, BATCH, LEASE)]
    if not batch:
        return 0
    batch.sort(key=lambda progress: progress.event.id)
    handlers = runtime.registry().event_handlers
    for handler in handlers:
        await _handle(handler, [p for p in batch if handler.name not in p.handled and handler.wants(p.event.name)])
    done = [progress for progress in batch if progress.error is None]
    if done:
        names = [handler.name for handler in handlers]
        await sql.execute(FINISH, [p.event.id for p in done], [p.event.owner_id for p in done], names)
    for progress in batch:
        if progress.error is not None:
            pause = min(FIRST_PAUSE_SECONDS * 4 ** (progress.attempts - 1), LONGEST_PAUSE_SECONDS)
            event = progress.event
            await sql.execute(POSTPONE, event.id, event.owner_id, pause, progress.handled, progress.error[:1000])
    return len(batch)


async def _handle(handler: EventHandler, batch: Sequence[Progress]) -> None:
    """Hand a batch over; when that fails, each event alone, so that one bad event holds up no other."""
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


def _progress(row: sql.Row) -> Progress:
    event = StoredEvent(
        id=row["id"],
        owner_id=row["owner_id"],
        store_id=row["store_id"],
        name=row["name"],
        data=orjson.loads(row["data"]),
        occurred_at=row["occurred_at"],
    )
    return Progress(event, row["handled"], row["attempts"])


async def queue_age() -> tuple[int, float]:
    """Tell how many events wait, and for how many seconds one has been due that no dispatcher took.

    The metrics keep the first, and the age of the oldest, which also grows while a handler fails again and again.
    """
    row = await sql.fetch_one(QUEUE)
    assert row is not None  # noqa: S101 - an aggregate without GROUP BY always answers one row
    oldest: datetime | None = row["oldest"]
    age = (row["moment"] - oldest).total_seconds() if oldest else 0.0
    OUTBOX_WAITING.set(row["waiting"])
    OUTBOX_OLDEST_SECONDS.set(age)
    due: datetime | None = row["due"]
    return row["waiting"], max(0.0, (row["moment"] - due).total_seconds()) if due else 0.0


async def prune() -> int:
    """Delete events that every handler has dealt with and that are older than ``KEPT``; return how many."""
    return await sql.execute("DELETE FROM core_outbox WHERE done_at < now() - $1::interval", KEPT)
