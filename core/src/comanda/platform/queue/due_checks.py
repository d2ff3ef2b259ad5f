"""Which queues have due rows. One statement asks for all of them, so that queues without work cost next to nothing."""

from collections.abc import Iterable

from comanda.basics import clock
from comanda.contracts.background.queues import LeasedQueue
from comanda.platform.db import sql
from comanda.platform.db.cluster.placements import is_distributed
from comanda.platform.queue.statements import build_due_checks


async def find_due_queues(queues: Iterable[LeasedQueue]) -> set[str]:
    """Return the names of the queues that have due rows, and of those on a cluster, where each claim asks first."""
    asked, found = [], set()
    for queue in queues:
        if await is_distributed(queue.table.name):
            found.add(queue.name)
        else:
            asked.append(queue)
    if asked:
        statement = build_due_checks(tuple(queue.table for queue in asked))
        row = await sql.one(statement, clock.now(), clock.get_offset())
        found |= {queue.name for queue, is_due in zip(asked, row, strict=True) if is_due}
    return found
