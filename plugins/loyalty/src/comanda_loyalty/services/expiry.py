"""Points that expire, the oldest first: what a customer has beyond what they have earned since a moment is older.

So nothing is kept for each lot of points. Whatever they spend is taken from the oldest, and what is given back is as
old as it was.
"""

from datetime import datetime
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_loyalty.models import LoyaltyEntryKind
from comanda_loyalty.services import ledger
from comanda_loyalty.services.ledger import NewEntry

ACTOR: Final = "loyalty"
BATCH_SIZE: Final = 200
SELECT_PROGRAMMES: Final = """
    SELECT store_id, owner_id, $1::timestamptz - make_interval(months => expires_after_months) AS expired_at
    FROM loyalty_programme
    WHERE is_on AND expires_after_months IS NOT NULL
"""
SELECT_DUE: Final = f"""
    SELECT a.id FROM loyalty_account a
    WHERE a.store_id = $1 AND a.owner_id = $2 AND a.id > $4 AND a.balance > 0 AND a.balance > (
        SELECT coalesce(sum(e.points), 0) FROM loyalty_entry e
        WHERE e.account_id = a.id AND e.owner_id = $2 AND e.earned_at > $3)
    ORDER BY a.id LIMIT {BATCH_SIZE}
"""
SUM_EARNED_SINCE: Final = """
    SELECT coalesce(sum(points), 0)::bigint FROM loyalty_entry
    WHERE account_id = $1 AND owner_id = $2 AND earned_at > $3
"""


async def expire_points() -> None:
    """Take what has expired off all accounts. Emits ``LoyaltyChanged``."""
    for row in await sql.fetch(SELECT_PROGRAMMES, clock.now()):
        last_id = 0
        while ids := await sql.fetch(SELECT_DUE, row["store_id"], row["owner_id"], row["expired_at"], last_id):
            for due in ids:
                await expire_account(row["owner_id"], due["id"], row["expired_at"])
            last_id = ids[-1]["id"]


@sql.transaction()
async def expire_account(owner_id: int, account_id: int, expired_at: datetime) -> None:
    """Take off an account what it has had since before a moment. Emits ``LoyaltyChanged``."""
    account = await ledger.lock_account(owner_id, account_id)
    younger = await sql.fetch_value(SUM_EARNED_SINCE, account_id, owner_id, expired_at)
    expired = account.balance - max(younger, 0)
    if expired > 0:
        reference = f"expiry:{expired_at.isoformat()}"
        await ledger.write_entry(account, NewEntry(LoyaltyEntryKind.EXPIRE, -expired, ACTOR, reference=reference))
