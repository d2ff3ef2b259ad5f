"""Cash that a driver collects on delivery, booked as a payment of the order."""

from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money
from comanda.contracts import CashOnDelivery, CollectedCash, PlacedOrder
from comanda.orders import Bill, round_to_cash_step, settlement
from comanda.platform.db import sql

from comanda_payments import payment_methods
from comanda_payments.models import TenderStatus
from comanda_payments.services.bills import driver_cash, order_balance, payments, tenders
from comanda_payments.services.bills.amounts import format_amount
from comanda_payments.services.bills.tenders import Tender

# The latest cash of an order that its driver has booked and that was not refunded since.
SELECT_BOOKED_CASH: Final = f"""
    SELECT amount_minor, rounding_minor FROM payments_payment
    WHERE order_id = $1 AND owner_id = $2 AND driver_id = $3 AND status = '{TenderStatus.SUCCEEDED}'
        AND amount_minor > refunded_minor
    ORDER BY id DESC LIMIT 1
"""


async def collect_cash(order: PlacedOrder, taken: CollectedCash) -> None:
    """Record the cash collected for an order, at most the amount due, in the open transaction.

    Less than the amount due is a partial payment; 0 is no payment. Emits ``OrderPaid`` when the order becomes paid.
    Raises ``ValidationFailed`` on ``cash_collected`` for more than the amount due: cash tips belong to the driver;
    ``Conflict`` for another amount than the one that is booked if it is reported after the delivery.
    """
    bill = await settlement.lock_bill_of(order.owner_id, order.store_id, order.id)
    if taken.is_late and await _is_booked(bill, taken):
        return
    step_minor = await order_balance.get_cash_rounding_minor(bill)
    due_minor = round_to_cash_step(bill.amount_due_minor, step_minor)
    if taken.amount_minor is not None and taken.amount_minor > max(due_minor, bill.amount_due_minor):
        raise ValidationFailed(
            cash_collected=[
                Sentence(
                    "Only %(amount)s is due. A cash tip is the driver's and not entered.",
                    amount=format_amount(due_minor, bill.currency),
                )
            ]
        )
    given_minor = due_minor if taken.amount_minor is None else taken.amount_minor
    if bill.amount_due_minor and (given_minor or due_minor == 0):
        await _insert_payment(
            bill, taken, tenders.create_cash_tender(bill.amount_due_minor, given_minor, 0, step_minor)
        )


async def _is_booked(bill: Bill, taken: CollectedCash) -> bool:
    """Return whether this very amount is booked already. Raises ``Conflict`` if another one is."""
    row = await sql.fetch_one(SELECT_BOOKED_CASH, bill.id, bill.owner_id, taken.driver_id)
    if row is None:
        return False
    # Before or after rounding.
    amounts = sorted((row["amount_minor"], row["amount_minor"] + row["rounding_minor"]))
    if taken.amount_minor is None or amounts[0] <= taken.amount_minor <= amounts[1]:
        return True
    booked_minor = row["amount_minor"] + row["rounding_minor"]
    raise Conflict(
        Sentence(
            "%(amount)s is booked for this delivery. Refund it to correct the amount.",
            amount=format_amount(booked_minor, bill.currency),
        ),
        extras={"reason": "cash_booked", "cash_collected": money.to_number(booked_minor, bill.currency)},
    )


async def _insert_payment(bill: Bill, taken: CollectedCash, tender: Tender) -> None:
    moment = clock.now()
    payment_id: int = await sql.fetch_value(
        payments.INSERT_PAYMENT,
        *(bill.owner_id, bill.store_id, bill.id, payment_methods.CASH, TenderStatus.SUCCEEDED.value),
        *(tender.amount_minor, tender.tip_minor, tender.rounding_minor, tender.tendered_minor, tender.change_minor),
        *(None, None, None, None, taken.actor, None, None, moment, moment, None, taken.driver_id, None, 0, None),
    )
    await order_balance.apply_payment(bill, taken.actor, tender.amount_minor, rounding_minor=tender.rounding_minor)
    await driver_cash.add_collected_cash(bill, payment_id, taken, tender.collected_minor)


CASH_ON_DELIVERY: Final = CashOnDelivery("payments", collect_cash, driver_cash.list_cash_held)
