"""The part of payments in orders: guests pay first where they have to, and payments follow an order that changes."""

from datetime import datetime, timedelta
from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Contribution, NewOrder, OrderParticipant, OrderRequest, unaffected
from comanda.orders import PAY_BY, settlement
from comanda.platform.db import sql

from comanda_payments.models import TenderStatus
from comanda_payments.services.bills import available_methods, order_balance, payment_deadlines
from comanda_payments.services.refunding import refunds
from comanda_payments.store_settings import PARTICIPANT_NAME, GuestPayments, OnlineRule, load_settings

# The audiences of the channels in which guests order themselves.
GUEST_AUDIENCES: Final = frozenset({"storefront", "customer"})

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


def is_paid_first(request: OrderRequest, settings: GuestPayments) -> bool:
    """Return whether a guest places an order that has to be paid online before it is made."""
    return (
        request.audience in GUEST_AUDIENCES
        and request.amends is None
        and settings.get_rule(request.body.type) is OnlineRule.REQUIRED
    )


def set_pay_by(_request: OrderRequest, settings: GuestPayments) -> Contribution:
    """Return until when the order has to be paid, as its attribute."""
    pay_by = clock.now() + timedelta(minutes=settings.pay_minutes)
    return Contribution(attributes={PAY_BY: pay_by.isoformat(timespec="seconds")})


async def await_payment(request: OrderRequest, _settings: GuestPayments, order: NewOrder) -> None:
    """Cancel the order once its time to pay is over. Raises ``ValidationFailed`` if the store has no ready account."""
    owner_id = request.terms.owner_id
    if not await available_methods.list_online_methods(owner_id, request.terms.id):
        raise ValidationFailed(
            type=[Sentence("This order has to be paid online, which is not possible at the moment. Call the store.")],
            extras={"reason": "no_online_payment"},
        )
    if order.total_minor:
        await payment_deadlines.set_deadline(owner_id, order.id, datetime.fromisoformat(order.attributes[PAY_BY]))


PAY_FIRST: Final = OrderParticipant(
    name=PARTICIPANT_NAME,
    load=load_settings,
    concerns=is_paid_first,
    validate=set_pay_by,
    placed=await_payment,
    amended=unaffected,
)
AMENDMENTS: Final = OrderParticipant(name="payments", amended=follow_amendment, refund=refunds.refund_excess)
