"""Entries in the payment books of other plugins, such as a cash drawer, in the transaction of the payment.

Only tenders that are booked at once are recorded: a book may refuse, and what a provider collected cannot be refused.
"""

from comanda.basics import clock
from comanda.contracts import BookedPayment
from comanda.orders import Bill
from comanda.platform import call_plugin, runtime

from comanda_payments.services.bills import available_methods
from comanda_payments.services.prepaid.prepayment_rows import Prepayment


async def record_payment(
    debt: Bill | Prepayment, payment_id: int, method: str, amount_minor: int, *, actor: str, drawer: str | None
) -> None:
    """Record a payment in the books of its method."""
    booked = _create_booked_payment(debt, payment_id, None, method, amount_minor, actor, drawer)
    for book in runtime.registry().payment_books:
        if method in book.methods and available_methods.is_immediate(method):
            await call_plugin(book, "taken", book.taken, booked)


async def record_refund(
    debt: Bill | Prepayment,
    payment_id: int,
    refund_id: int,
    method: str,
    amount_minor: int,
    *,
    actor: str,
    drawer: str | None,
) -> None:
    """Record a refund in the books of its method."""
    booked = _create_booked_payment(debt, payment_id, refund_id, method, amount_minor, actor, drawer)
    for book in runtime.registry().payment_books:
        if method in book.methods and available_methods.is_immediate(method):
            await call_plugin(book, "returned", book.returned, booked)


def _create_booked_payment(
    debt: Bill | Prepayment,
    payment_id: int,
    refund_id: int | None,
    method: str,
    amount_minor: int,
    actor: str,
    drawer: str | None,
) -> BookedPayment:
    return BookedPayment(
        payment_id=payment_id,
        refund_id=refund_id,
        owner_id=debt.owner_id,
        store_id=debt.store_id,
        order_id=debt.id if isinstance(debt, Bill) else None,
        method=method,
        amount_minor=amount_minor,
        currency=debt.currency,
        actor=actor,
        drawer=drawer,
        booked_at=clock.now(),
    )
