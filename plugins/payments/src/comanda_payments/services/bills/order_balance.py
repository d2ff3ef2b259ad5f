"""The amount that can still be paid on an order, and the application of payments to it."""

from comanda.basics import money
from comanda.orders import Bill, OrderPaid, settlement
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.models import TenderStatus

HAS_UNPAID = """
    SELECT FROM core_order_v1 WHERE owner_id = $1 AND store_id = $2 AND status = 'completed'
        AND NOT (paid_at IS NOT NULL AND late_due_minor = 0)
"""
SUM_PENDING_PAYMENTS = f"""
    SELECT coalesce(sum(amount_minor), 0) FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}'
"""
SELECT_SUCCEEDED_PAYMENTS = f"""
    SELECT id, method, amount_minor, tip_minor FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{TenderStatus.SUCCEEDED}' ORDER BY id
"""
SELECT_CASH_ROUNDING = "SELECT cash_rounding_minor FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def get_cash_rounding_minor(bill: Bill) -> int:
    """Return the cash rounding step of the order's store, or 0 for none."""
    return int(await sql.fetch_value(SELECT_CASH_ROUNDING, bill.store_id, bill.owner_id))


async def get_payable_minor(bill: Bill) -> int:
    """Return the amount due of an order, less its pending payments."""
    return max(0, bill.amount_due_minor - await get_pending_minor(bill.owner_id, bill.id))


async def get_pending_minor(owner_id: int, order_id: int) -> int:
    """Return the sum of an order's pending payments."""
    return int(await sql.fetch_value(SUM_PENDING_PAYMENTS, order_id, owner_id))


async def apply_payment(bill: Bill, actor: str, amount_minor: int, *, rounding_minor: int = 0) -> Bill:
    """Apply a successful payment to its order in the open transaction, and return the new bill.

    Emits ``OrderPaid`` when the order becomes paid.
    """
    after = await settlement.settle(bill, actor, paid_minor=amount_minor, rounding_minor=rounding_minor)
    if after.was_paid and not bill.was_paid:
        await publish_paid(after)
    return after


async def publish_paid(bill: Bill) -> None:
    """Announce that an order is paid, with its payments."""
    await publish(await _create_order_paid_event(bill), owner_id=bill.owner_id, store_id=bill.store_id)


async def _create_order_paid_event(bill: Bill) -> OrderPaid:
    def to_text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, bill.currency)

    payments = [
        {
            "payment_id": row["id"],
            "method": row["method"],
            "amount": to_text(row["amount_minor"]),
            "tip": to_text(row["tip_minor"]),
        }
        for row in await sql.fetch(SELECT_SUCCEEDED_PAYMENTS, bill.id, bill.owner_id)
    ]
    return OrderPaid(
        order_id=bill.id,
        restaurant_id=bill.store_id,
        total=to_text(bill.total_minor),
        paid_total=to_text(bill.paid_minor),
        currency=bill.currency,
        payments=payments,
    )
