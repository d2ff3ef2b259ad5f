"""Claims, results and releases of the rows of a leased queue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts.background.queues import MOMENT, ClaimedRow, LeasedQueue, QueueTable, RetrySchedule, RowResult
from comanda.platform.db import sql
from comanda.platform.db.cluster.placements import is_distributed
from comanda.platform.observability import QUEUE_DEAD, QUEUE_OLDEST_SECONDS, QUEUE_OVERDUE_SECONDS, QUEUE_WAITING
from comanda.platform.queue.shard_claims import build_due_check, build_shard_claim
from comanda.platform.queue.statements import build_statements

MAX_ERROR_LENGTH: Final = 1000
UNLIMITED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ShareRoom:
    """Free capacity of a process per share, see ``statements``; claims continue after the share ``after``."""

    after: Any = None
    by_share: Mapping[Any, int] = field(default_factory=dict)
    default: int = UNLIMITED
    by_owner: Mapping[int, int] = field(default_factory=dict)
    default_of_owner: int = UNLIMITED


@dataclass(frozen=True, slots=True)
class QueueState:
    """Queue depth: waiting rows, age of the oldest, worst overdue time, dead letters.

    ``failing`` counts the waiting rows that have failed before.
    """

    waiting: int
    oldest_seconds: float
    overdue_seconds: float
    dead: int
    failing: int = 0


async def claim_rows(
    table: QueueTable, limit: int, lease: timedelta, room: ShareRoom | None = None
) -> list[ClaimedRow]:
    """Claim up to ``limit`` due rows, and return them in the order in which they became due.

    If the table is distributed, there are up to ``limit`` rows of each shard.
    """
    values: tuple[object, ...] = (_get_moment_value(table), lease, limit)
    if table.share_by is not None:
        room = room or ShareRoom()
        values += (room.after, list(room.by_share), list(room.by_share.values()), room.default)
        values += (list(room.by_owner), list(room.by_owner.values()), room.default_of_owner)
    if not await is_distributed(table.name):
        rows = await sql.fetch(build_statements(table).claim, *values)
    elif await sql.fetch_value(build_due_check(table), values[0]) is not None:
        rows = await sql.fetch(build_shard_claim(table), *values)
    else:
        rows = []
    claimed = [
        ClaimedRow(
            id=row["claimed_id"],
            owner_id=row["claimed_owner_id"],
            attempt=row["claimed_attempts"] + 1,
            due_at=row["claimed_due"],
            leased_until=row["claimed_until"],
            share=row["claimed_share"],
            values=dict(row),
        )
        for row in rows
    ]
    claimed.sort(key=lambda row: (row.due_at, row.id))
    return claimed


async def save_results(
    table: QueueTable, retries: RetrySchedule, results: Sequence[tuple[ClaimedRow, object]]
) -> Sequence[ClaimedRow]:
    """Save the results of rows that are still leased, and return the new dead letters.

    A row whose result is an exception is retried after the delay of ``retries``, or becomes a dead letter.
    """
    released = [row for row, result in results if result is RowResult.RELEASED]
    failed = [(row, result) for row, result in results if isinstance(result, BaseException)]
    done = [
        row for row, result in results if result is not RowResult.RELEASED and not isinstance(result, BaseException)
    ]
    statements = build_statements(table)
    if done:
        moment_value = [_get_moment_value(table)] if MOMENT in (table.done or "") else []
        await sql.execute(statements.finish, *_to_columns(done), *moment_value)
    dead: list[ClaimedRow] = []
    if failed:
        moment = clock.now()
        if table.uses_database_clock:
            moment = await sql.fetch_value("SELECT now() + $1::interval", clock.get_offset())
        next_due: list[datetime | None] = []
        for row, _ in failed:
            delay = retries.get_delay(row.attempt)
            next_due.append(None if delay is None else moment + delay)
            if delay is None:
                dead.append(row)
        errors = [_describe_error(error) for _, error in failed]
        gave_up_at = [moment] if table.dead_at else []
        await sql.execute(statements.retry, *_to_columns([row for row, _ in failed]), next_due, errors, *gave_up_at)
    if released:
        await release_rows(table, released)
    return dead


async def release_rows(table: QueueTable, rows: Sequence[ClaimedRow]) -> None:
    """End the leases of rows that were not attempted, so that any process may claim them."""
    await sql.execute(build_statements(table).release, *_to_columns(rows))


async def find_lost_rows(table: QueueTable, rows: Sequence[ClaimedRow]) -> set[tuple[int, int]]:
    """Return ``(id, owner_id)`` of the rows whose lease this process has lost, or that must stop."""
    held = await sql.fetch(build_statements(table).select_held, *_to_columns(rows))
    return {(row.id, row.owner_id) for row in rows} - {(row["id"], row["owner_id"]) for row in held}


async def measure_queue(table: QueueTable) -> QueueState:
    """Return the depth of a queue."""
    row = await sql.one(build_statements(table).measure)
    return QueueState(
        waiting=row["waiting"],
        oldest_seconds=max(0.0, row["oldest_seconds"] or 0.0),
        overdue_seconds=max(0.0, row["overdue_seconds"] or 0.0),
        dead=row["dead"],
        failing=row["failing"],
    )


def _get_moment_value(table: QueueTable) -> object:
    """Return the parameter of the current moment, see ``comanda.platform.queue.statements.get_moment``."""
    return clock.get_offset() if table.uses_database_clock else clock.now()


def _to_columns(rows: Sequence[ClaimedRow]) -> tuple[list[object], ...]:
    return (
        [row.id for row in rows],
        [row.owner_id for row in rows],
        [row.leased_until for row in rows],
        [row.attempt for row in rows],
    )


def _describe_error(error: object) -> str:
    # PostgreSQL cannot store NUL in text.
    return repr(error).replace("\0", "")[:MAX_ERROR_LENGTH]


async def measure_queues(queues: Iterable[LeasedQueue]) -> None:
    """Measure queues and update their metrics."""
    for queue in queues:
        state = await measure_queue(queue.table)
        QUEUE_WAITING.labels(queue.name).set(state.waiting)
        QUEUE_OLDEST_SECONDS.labels(queue.name).set(state.oldest_seconds)
        QUEUE_OVERDUE_SECONDS.labels(queue.name).set(state.overdue_seconds)
        QUEUE_DEAD.labels(queue.name).set(state.dead)
