"""Earnings of developers: their shares of what other owners were charged."""

from typing import Final

from comanda.basics import Money
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_wallet.models import EntryKind
from comanda_wallet.records import Earning, Earnings
from comanda_wallet.settings import get_currency

SELECT_EARNINGS: Final = """
    SELECT coalesce(sum(amount_minor) FILTER (WHERE amount_minor > 0), 0)::bigint AS earned_minor,
        coalesce(-sum(amount_minor) FILTER (WHERE amount_minor < 0), 0)::bigint AS refunded_minor
    FROM wallet_leg WHERE account_owner_id = $1 AND account = 'earnings'
"""
COUNT_EARNINGS: Final = "SELECT count(*) FROM wallet_leg WHERE account_owner_id = $1 AND account = 'earnings'"
SELECT_SHARES: Final = """
    SELECT l.id, e.kind, l.amount_minor, e.currency, e.description, e.created_at
    FROM wallet_leg l JOIN wallet_entry e ON e.id = l.entry_id AND e.owner_id = l.owner_id
    WHERE l.account_owner_id = $1 AND l.account = 'earnings' ORDER BY l.id DESC LIMIT $2 OFFSET $3
"""


async def get_earnings(owner_id: int) -> Earnings:
    """Return what a developer has earned, less what refunds took back."""
    row = await sql.one(SELECT_EARNINGS, owner_id)
    earned, refunded = row["earned_minor"], row["refunded_minor"]
    return Earnings(owner_id, get_currency(), earned - refunded, earned, refunded)


async def list_shares(caller: Caller, page: PageRequest) -> RecordPage[Earning]:
    """List the caller's shares of charges and refunds, newest first."""
    total = await sql.fetch_value(COUNT_EARNINGS, caller.owner_id)
    rows = await sql.fetch(SELECT_SHARES, caller.owner_id, page.size(), page.offset())
    return page.of([_to_earning(row) for row in rows], total)


def _to_earning(row: sql.Row) -> Earning:
    amount = Money(row["amount_minor"], row["currency"])
    return Earning(row["id"], EntryKind(row["kind"]), amount, row["description"], row["created_at"])
