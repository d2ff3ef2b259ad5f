"""Deletion of old audit entries."""

from datetime import datetime, timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts.data.log_tables import LogTable, Period
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.partitions import is_partitioned

BATCH_SIZE: Final = 1000

SELECT_OWNERS: Final = "SELECT id FROM core_owner WHERE id > $1 ORDER BY id LIMIT $2"
# Ids ascend with time, so the oldest entries of an owner come first in the primary key.
DELETE_OLDEST: Final = """
    DELETE FROM core_audit_entry WHERE owner_id = $1 AND occurred_at < $2 AND id IN (
        SELECT id FROM core_audit_entry WHERE owner_id = $1 ORDER BY id LIMIT $3)
"""


def get_retention() -> timedelta:
    """Return how long entries are kept: the setting ``audit_log_days``."""
    return timedelta(days=runtime.settings().audit_log_days)


LOG: Final = LogTable("core_audit_entry", Period.MONTH, get_retention, kept="q.occurred_at >= $1")


async def delete_old_entries() -> int:
    """Delete old entries, in batches, and return how many; none if their table is partitioned."""
    if await is_partitioned(LOG.name):
        return 0
    before = clock.now() - get_retention()
    deleted = last_id = 0
    while owners := await sql.fetch(SELECT_OWNERS, last_id, BATCH_SIZE):
        for owner in owners:
            deleted += await _delete_old_entries_of(owner["id"], before)
        last_id = owners[-1]["id"]
    return deleted


async def _delete_old_entries_of(owner_id: int, before: datetime) -> int:
    total = 0
    while deleted := await sql.execute(DELETE_OLDEST, owner_id, before, BATCH_SIZE):
        total += deleted
    return total
