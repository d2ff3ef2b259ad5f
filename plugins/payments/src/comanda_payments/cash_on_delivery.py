"""Cash that a driver takes for an order at the door, booked as a payment of the order."""

from typing import Final

from comanda import clock
from comanda.contracts.cash_on_delivery import CashOnDelivery, CashTaken
from comanda.contracts.order_participants import PlacedOrder
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.orders import settlement
from comanda.orders.balance import round_to_cash_step
from comanda.orders.settlement import Bill

from comanda_payments import booking, driver_cash, methods, paying, tendering
from comanda_payments.amounts import shown
from comanda_payments.models import PaymentStatus
from comanda_payments.tendering import Tender


async def collect(order: PlacedOrder, taken: CashTaken) -> None:
    """Book what a driver took for an order, at most what is due, in the open transaction.

    Less than what is due is a payment in part; nothing is no payment. Emits ``OrderPaid`` if the order is paid with it.
    Raises ``ValidationFailed`` on ``cash_collected`` for more: change was given, and a cash tip is the driver's own.
    """
    bill = await settlement.lock_bill_of(order.owner_id, order.store_id, order.id)
    step_minor = await booking.cash_step(bill)
    due_minor = round_to_cash_step(bill.amount_due_minor, step_minor)
    if taken.amount_minor is not None and taken.amount_minor > due_minor:
        raise ValidationFailed(
            cash_collected=[
                f"Only {shown(due_minor, bill.currency)} is due. A cash tip is the driver's and not entered."
            ]
        )
    given_minor = due_minor if taken.amount_minor is None else taken.amount_minor
    if bill.amount_due_minor and (given_minor or due_minor == 0):
        await _book(bill, taken, tendering.cash(bill.amount_due_minor, given_minor, 0, step_minor))


async def _book(bill: Bill, taken: CashTaken, tender: Tender) -> None:
    moment = clock.now()
    payment_id: int = await sql.fetch_value(
        paying.INSERT,
        *(bill.owner_id, bill.store_id, bill.id, methods.CASH, PaymentStatus.SUCCEEDED.value),
        *(tender.amount_minor, tender.tip_minor, tender.rounding_minor, tender.tendered_minor, tender.change_minor),
        *(None, None, None, None, taken.actor, None, None, moment, moment, None, taken.driver_id),
    )
    await booking.book(bill, taken.actor, tender.amount_minor)
    await driver_cash.add_collected(bill, payment_id, taken, tender.taken_minor)


CASH_ON_DELIVERY: Final = CashOnDelivery("payments", collect, driver_cash.held_by)
