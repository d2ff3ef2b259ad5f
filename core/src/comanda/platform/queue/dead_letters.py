"""Rows of queues that failed, for administrators: those that are tried again, and dead letters, which are not.

Each act leaves an entry in the audit log of the row's owner.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.basics import clock
from comanda.basics.errors import ComandaError, NotFound
from comanda.contracts.background.queues import MOMENT, LeasedQueue, QueueTable
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.platform.audit_log.entries import record_action
from comanda.platform.db import sql
from comanda.platform.queue.statements import build_failure_statements
from comanda.platform.tasks import notifier

# How many dead letters one act retries.
MAX_RETRIED: Final = 200
# Entries of administrators name those who run the installation, as those of suspensions do.
ACTOR_KIND: Final = "operator"
RETRY_ACTION: Final = "account/queue_retry"
DISCARD_ACTION: Final = "account/queue_discard"


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row of a queue whose last attempt failed, and whose it is; ``due_at`` is None for a dead letter."""

    id: int
    owner_id: int
    owner_name: str
    title: str | None
    reason: str | None
    attempts: int
    created_at: datetime
    due_at: datetime | None


async def list_failing_rows(queue: LeasedQueue, page: PageRequest) -> RecordPage[FailedRow]:
    """List the rows that failed and will be tried again, the next first."""
    statements = build_failure_statements(queue)
    return await _list_rows(statements.select_failing, statements.count_failing, page)


async def list_dead_letters(queue: LeasedQueue, page: PageRequest) -> RecordPage[FailedRow]:
    """List the rows that were given up, newest first; none for a queue that gives up nothing."""
    statements = build_failure_statements(queue)
    if statements.select_dead is None or statements.count_dead is None:
        return page.of([], 0)
    return await _list_rows(statements.select_dead, statements.count_dead, page)


def may_retry(queue: LeasedQueue) -> bool:
    """Return whether dead letters of the queue can be retried."""
    return queue.dead_letters.retry is not None or build_failure_statements(queue).retry is not None


def may_discard(queue: LeasedQueue) -> bool:
    """Return whether dead letters of the queue can be discarded."""
    return queue.dead_letters.discard is not None or build_failure_statements(queue).discard is not None


async def retry_failing_row(caller: Caller, queue: LeasedQueue, owner_id: int, row_id: int) -> None:
    """Make a row that failed due now. Raises ``NotFound`` for one that does not wait, or is being processed."""
    async with sql.transaction():
        moment = _get_moment_value(queue.table)
        if not await sql.execute(build_failure_statements(queue).retry_failing, row_id, owner_id, moment):
            raise NotFound
        await _record(caller, queue, owner_id, row_id, RETRY_ACTION)


async def retry_dead_letter(caller: Caller, queue: LeasedQueue, owner_id: int, row_id: int) -> None:
    """Make a dead letter due again, with all of its attempts.

    Raises ``NotFound`` for a row that is none, ``Conflict`` for one that cannot be retried.
    """
    retry = build_failure_statements(queue).retry
    async with sql.transaction():
        if queue.dead_letters.retry is not None:
            await queue.dead_letters.retry(owner_id, row_id)
        elif retry is None or not await sql.execute(retry, row_id, owner_id, _get_moment_value(queue.table)):
            raise NotFound
        await _record(caller, queue, owner_id, row_id, RETRY_ACTION)


async def retry_dead_letters(caller: Caller, queue: LeasedQueue) -> tuple[int, int]:
    """Retry the newest dead letters; return how many are due again, and how many cannot be retried."""
    done = refused = 0
    for row in (await list_dead_letters(queue, PageRequest(1, MAX_RETRIED))).data:
        try:
            await retry_dead_letter(caller, queue, row.owner_id, row.id)
            done += 1
        except ComandaError:
            refused += 1
    return done, refused


async def discard_dead_letter(caller: Caller, queue: LeasedQueue, owner_id: int, row_id: int) -> None:
    """Discard a dead letter: delete it, or finish it as if it had succeeded. Raises ``NotFound``."""
    discard = build_failure_statements(queue).discard
    async with sql.transaction():
        if queue.dead_letters.discard is not None:
            await queue.dead_letters.discard(owner_id, row_id)
        else:
            needs_moment = MOMENT in (queue.table.done or "")
            values = [_get_moment_value(queue.table)] if needs_moment else []
            if discard is None or not await sql.execute(discard, row_id, owner_id, *values):
                raise NotFound
        await _record(caller, queue, owner_id, row_id, DISCARD_ACTION)


async def _list_rows(select: str, count: str, page: PageRequest) -> RecordPage[FailedRow]:
    rows = await sql.fetch(select, page.size(), page.offset())
    return page.of([sql.to_record(FailedRow, row) for row in rows], await sql.fetch_value(count))


async def _record(caller: Caller, queue: LeasedQueue, owner_id: int, row_id: int, action: str) -> None:
    ids = {"administrator_id": caller.owner_id, "row_id": row_id}
    await record_action(owner_id, action, actor_kind=ACTOR_KIND, actor_id=0, ids=ids)
    notifier.notify(queue.name)


def _get_moment_value(table: QueueTable) -> object:
    return clock.get_offset() if table.uses_database_clock else clock.now()
