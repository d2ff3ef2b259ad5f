"""Money for an order that was collected elsewhere, such as by a delivery platform: recorded, not collected."""

from typing import Final

from comanda.basics import clock
from comanda.orders import settlement
from comanda.platform.db import sql

from comanda_payments.models import TenderStatus
from comanda_payments.services.bills import order_balance

INSERT_COLLECTED: Final = f"""
    INSERT INTO payments_payment (owner_id, store_id, order_id, method, status, amount_minor, tip_minor, rounding_minor,
        change_minor, reference, actor, created_at, finished_at, fee_minor)
    VALUES ($1, $2, $3, $4, '{TenderStatus.SUCCEEDED}', $5, 0, 0, 0, $6, $7, $8, $8, 0)
"""


async def record_collected_payment(
    owner_id: int, store_id: int, order_id: int, method: str, amount_minor: int, *, reference: str, actor: str
) -> None:
    """Record what another system has collected for an order, at most what is due of it, in the open transaction.

    ``method`` is a payment method that is booked at once, ``reference`` the payment's name in the other system. Emits
    ``OrderPaid`` when the order becomes paid. Raises ``NotFound``.
    """
    bill = await settlement.lock_bill_of(owner_id, store_id, order_id)
    collected_minor = min(amount_minor, bill.amount_due_minor)
    if collected_minor <= 0:
        return
    values = (owner_id, store_id, order_id, method, collected_minor, reference, actor, clock.now())
    await sql.execute(INSERT_COLLECTED, *values)
    await order_balance.apply_payment(bill, actor, collected_minor)
