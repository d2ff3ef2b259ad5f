"""Payments of deposits at the desk: cash, or what a terminal of the store has collected, booked at once."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, IdempotencyKey
from comanda.platform.db import KeyedTable, sql

from comanda_payments.models import PrepaymentStatus, TenderStatus
from comanda_payments.services.bills import available_methods, payment_books
from comanda_payments.services.prepaid import prepayment_checkout
from comanda_payments.services.prepaid.prepayment_rows import COLUMNS, lock_prepayment, set_status, to_prepayment

# What was given back can be paid once more, and what was kept or used can be added to.
BECOMES: Final = {
    PrepaymentStatus.OPEN: PrepaymentStatus.PAID,
    PrepaymentStatus.PAID: PrepaymentStatus.PAID,
    PrepaymentStatus.REFUNDED: PrepaymentStatus.PAID,
    PrepaymentStatus.KEPT: PrepaymentStatus.KEPT,
    PrepaymentStatus.APPLIED: PrepaymentStatus.APPLIED,
}
DESK_PAYMENT_KEYS: Final = KeyedTable("payments_payment", "prepayment_id")
INSERT_PAYMENT: Final = f"""
    INSERT INTO payments_payment (owner_id, store_id, prepayment_id, method, status, amount_minor, reference, actor,
        idempotency_key, body_hash, created_at, finished_at)
    VALUES ($1, $2, $3, $4, '{TenderStatus.SUCCEEDED}', $5, $6, $7, $8, $9, $10, $10) RETURNING id
"""
# One that nobody had paid becomes what was taken.
ADD_AMOUNT: Final = f"""
    UPDATE payments_prepayment SET paid_minor = paid_minor + $3,
        amount_minor = CASE status WHEN '{PrepaymentStatus.OPEN}' THEN $3 ELSE amount_minor + $3 END
    WHERE id = $1 AND owner_id = $2 RETURNING {COLUMNS}
"""


@dataclass(frozen=True, slots=True)
class DeskPayment:
    """What was taken at the desk, in minor units above 0.

    ``reference`` is what the terminal printed, ``drawer`` the cash drawer that cash went into, if there are several.
    """

    method: str
    amount_minor: int
    reference: str | None
    drawer: str | None


async def record_desk_payment(caller: Caller, deposit_id: int, payment: DeskPayment, key: IdempotencyKey) -> None:
    """Record a payment of a deposit at the desk, in the open transaction. It pays one that is open, or adds to it.

    The caller has looked for the ``key`` among ``DESK_PAYMENT_KEYS``. Emits ``PrepaymentChanged``. Raises
    ``ValidationFailed`` for a method that is not taken at the desk, and a drawer that is not open; ``Conflict`` with a
    ``reason`` while it is paid online or refunded.
    """
    methods = sorted(method.code for method in available_methods.list_desk_methods())
    if payment.method not in methods:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(methods)}."])
    prepayment = await lock_prepayment(caller.owner_id, deposit_id)
    became = BECOMES.get(prepayment.status)
    if became is None:
        raise Conflict(f"This deposit is {prepayment.status}.", extras={"reason": prepayment.status.value})
    if await prepayment_checkout.find_pending_payment(prepayment.owner_id, prepayment.id) is not None:
        raise Conflict(Sentence("The deposit is being paid online. Try again shortly."), extras={"reason": "pending"})
    payment_id = await sql.fetch_value(
        INSERT_PAYMENT, prepayment.owner_id, prepayment.store_id, prepayment.id, payment.method, payment.amount_minor,
        payment.reference, caller.actor, key.text, key.body_hash, clock.now(),
    )  # fmt: skip
    row = await sql.one(ADD_AMOUNT, prepayment.id, prepayment.owner_id, payment.amount_minor)
    after = await set_status(to_prepayment(row), became)
    await payment_books.record_payment(
        after, payment_id, payment.method, payment.amount_minor, actor=caller.actor, drawer=payment.drawer
    )
