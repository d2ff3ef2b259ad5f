"""Withdrawals as their store sees them: listed, and marked as handled."""

from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_legal.records import Withdrawal
from comanda_legal.schemas import WithdrawalQuery

# Most owners never have one.
HAS_WITHDRAWALS: Final = "SELECT FROM legal_withdrawal WHERE owner_id = $1"
HAS_UNHANDLED: Final = "SELECT FROM legal_withdrawal WHERE owner_id = $1 AND store_id = $2 AND handled_at IS NULL"
SELECT_WITHDRAWALS: Final = """
    SELECT w.id, w.store_id, w.reference, w.name, w.email, w.phone, w.contract, w.items, w.order_id,
        o.number AS order_number, w.submitted_at, w.acknowledged_at, w.handled_at, w.handled_by
    FROM legal_withdrawal w LEFT JOIN core_order_v1 o ON o.id = w.order_id AND o.owner_id = w.owner_id
"""
SELECT_WITHDRAWAL: Final = f"{SELECT_WITHDRAWALS} WHERE w.id = $1 AND w.owner_id = $2 AND w.store_id = $3"
CONDITIONS: Final = (
    "WHERE w.store_id = $1 AND w.owner_id = $2 AND ($3::boolean IS NULL OR (w.handled_at IS NOT NULL) = $3)"
)
SELECT_PAGE: Final = f"{SELECT_WITHDRAWALS} {CONDITIONS} ORDER BY w.id DESC LIMIT $4 OFFSET $5"
COUNT: Final = f"SELECT count(*) FROM legal_withdrawal w {CONDITIONS}"
# Who marked it first stays.
MARK_HANDLED: Final = """
    UPDATE legal_withdrawal SET handled_at = $4, handled_by = $5
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND handled_at IS NULL
"""


async def list_withdrawals(
    caller: Caller, store_id: int, query: WithdrawalQuery, page: PageRequest
) -> RecordPage[Withdrawal]:
    """List the withdrawals of a store, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    filters = (store_id, caller.owner_id, query.is_handled)
    rows = await sql.fetch(SELECT_PAGE, *filters, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT, *filters))
    return page.of([_to_withdrawal(row) for row in rows], total)


@sql.transaction()
async def mark_handled(caller: Caller, store_id: int, withdrawal_id: int) -> Withdrawal:
    """Mark a withdrawal as handled; one that was marked before stays as it is. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(MARK_HANDLED, withdrawal_id, caller.owner_id, store_id, clock.now(), caller.actor)
    return await load_withdrawal(caller.owner_id, store_id, withdrawal_id)


async def load_withdrawal(owner_id: int, store_id: int, withdrawal_id: int) -> Withdrawal:
    """Return a withdrawal. Raises ``NotFound``."""
    return _to_withdrawal(await sql.require_one(SELECT_WITHDRAWAL, withdrawal_id, owner_id, store_id))


def _to_withdrawal(row: sql.Row) -> Withdrawal:
    return sql.to_record(Withdrawal, row, restaurant_id=row["store_id"])
