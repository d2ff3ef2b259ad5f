"""What is left of an order, and what happens when a payment of it was made."""

from comanda import money
from comanda.db import sql
from comanda.events.outbox import publish
from comanda.orders import settlement
from comanda.orders.settlement import Bill

from comanda_payments.events import OrderPaid
from comanda_payments.models import PaymentStatus

PENDING = f"""
    SELECT coalesce(sum(amount_minor), 0) FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{PaymentStatus.PENDING}'
"""
MADE = f"""
    SELECT id, method, amount_minor, tip_minor FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND status = '{PaymentStatus.SUCCEEDED}' ORDER BY id
"""
CASH_STEP = "SELECT cash_rounding_minor FROM core_store WHERE id = $1 AND owner_id = $2"


async def cash_step(bill: Bill) -> int:
    """Tell what the smallest coin of an order's store is worth, or 0 where every amount can be counted out."""
    return int(await sql.fetch_value(CASH_STEP, bill.store_id, bill.owner_id))


async def left_of(bill: Bill) -> int:
    """Tell what is left of an order when all payments that are pending have been made."""
    return max(0, bill.amount_due_minor - int(await sql.fetch_value(PENDING, bill.id, bill.owner_id)))


async def book(bill: Bill, actor: str, amount_minor: int) -> Bill:
    """Count a payment that was made towards its order, in the open transaction.

    Emits ``OrderPaid`` if the order is paid with it, and was not before.
    """
    after = await settlement.settle(bill, actor, paid_minor=amount_minor)
    if after.was_paid and not bill.was_paid:
        await publish(await _order_paid(after), owner_id=bill.owner_id, store_id=bill.store_id)
    return after


async def _order_paid(bill: Bill) -> OrderPaid:
    def text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, bill.currency)

    payments = [
        {
            "payment_id": row["id"],
            "method": row["method"],
            "amount": text(row["amount_minor"]),
            "tip": text(row["tip_minor"]),
        }
        for row in await sql.fetch(MADE, bill.id, bill.owner_id)
    ]
    return OrderPaid(
        order_id=bill.id,
        restaurant_id=bill.store_id,
        total=text(bill.total_minor),
        paid_total=text(bill.paid_minor),
        currency=bill.currency,
        payments=payments,
    )
