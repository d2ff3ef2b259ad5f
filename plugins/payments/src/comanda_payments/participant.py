"""The part of payments in changes of an order: payments go with a merged order, a covered order is paid, refunds."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import NewOrder, OrderParticipant, OrderRequest
from comanda.orders import settlement
from comanda.platform.db import sql

from comanda_payments.models import TenderStatus
from comanda_payments.services.bills import order_balance
from comanda_payments.services.refunding import refunds

HAS_PENDING_PAYMENT: Final = f"""
    SELECT EXISTS (SELECT FROM payments_payment
                   WHERE order_id = $1 AND owner_id = $2 AND status = '{TenderStatus.PENDING}')
"""
# Every table whose rows are of an order that still has to be paid.
MOVE_ROWS: Final = tuple(
    f"UPDATE {table} SET order_id = $3 WHERE order_id = $1 AND owner_id = $2"
    for table in ("payments_payment", "payments_refund", "payments_driver_cash_entry")
)


async def follow_amendment(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Take over the payments of an order that is merged into this one, and announce that it is paid if it is covered.

    Raises ``ValidationFailed`` while an online payment is pending, of the other order or of more than is still due.
    """
    if request.amends is None:
        return
    owner_id, absorbed = request.terms.owner_id, request.amends.absorbed
    if absorbed is not None:
        await _take_over(owner_id, absorbed.id, order.id)
    # What is being paid was due before, so it fits into a total that is no less.
    may_exceed = absorbed is not None or order.total_minor < request.amends.order.total_minor
    pending_minor = await order_balance.get_pending_minor(owner_id, order.id) if may_exceed else 0
    is_paid_in_part = request.amends.order.paid_minor or (absorbed is not None and absorbed.paid_minor)
    if not pending_minor and not is_paid_in_part:
        return
    bill = await settlement.lock_bill_of(owner_id, request.terms.id, order.id)
    if pending_minor and bill.paid_minor - bill.refunded_minor + pending_minor > bill.total_minor:
        raise ValidationFailed(
            total=[Sentence("The order is being paid online. Cancel that payment first, or wait.")],
            extras={"reason": "payment_pending"},
        )
    if bill.was_paid and bill.paid_minor:
        await order_balance.publish_paid(bill)


async def _take_over(owner_id: int, from_id: int, to_id: int) -> None:
    if await sql.fetch_value(HAS_PENDING_PAYMENT, from_id, owner_id):
        raise ValidationFailed(
            order_id=[Sentence("An online payment of this order is still pending.")],
            extras={"reason": "payment_pending"},
        )
    for statement in MOVE_ROWS:
        await sql.execute(statement, from_id, owner_id, to_id)


AMENDMENTS: Final = OrderParticipant(name="payments", amended=follow_amendment, refund=refunds.refund_excess)
