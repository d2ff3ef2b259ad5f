"""Background tasks: removal of expired sources and of old monthly counts."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_entitlements.services import sources

BATCH_SIZE: Final = 500
KEEP_COUNTS: Final = timedelta(days=400)

SELECT_EXPIRED: Final = """
    SELECT DISTINCT owner_id FROM entitlements_source WHERE expires_at <= $1 ORDER BY owner_id LIMIT $2
"""
DELETE_OLD_COUNTS: Final = "DELETE FROM entitlements_monthly_orders WHERE month < $1"


async def remove_expired_sources() -> int:
    """Remove sources whose time has come, of all owners, and return their number."""
    moment = clock.now()
    removed = 0
    while owners := await sql.fetch(SELECT_EXPIRED, moment, BATCH_SIZE):
        for row in owners:
            removed += await sources.remove_expired(row["owner_id"], moment)
    return removed


async def delete_old_counts() -> int:
    """Delete the counts of months that ended more than a year ago, and return their number."""
    return await sql.execute(DELETE_OLD_COUNTS, (clock.now() - KEEP_COUNTS).date())
