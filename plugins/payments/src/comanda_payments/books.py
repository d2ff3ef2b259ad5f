"""What other plugins note of payments, such as what lies in a cash drawer, in the transaction that books them.

They hear of tenders that are booked at once. What a provider has collected is a fact that no book may refuse.
"""

from comanda import clock, runtime
from comanda.contracts.payments import BookedPayment
from comanda.orders.settlement import Bill

from comanda_payments import methods


async def note_taken(
    bill: Bill, payment_id: int, method: str, amount_minor: int, *, actor: str, drawer: str | None
) -> None:
    """Let the books of a method note what was taken for an order."""
    booked = _booked(bill, payment_id, None, method, amount_minor, actor, drawer)
    for book in runtime.registry().payment_books:
        if method in book.methods and methods.is_booked(method):
            await book.taken(booked)


async def note_returned(
    bill: Bill, payment_id: int, refund_id: int, method: str, amount_minor: int, *, actor: str, drawer: str | None
) -> None:
    """Let the books of a method note what was given back of a payment."""
    booked = _booked(bill, payment_id, refund_id, method, amount_minor, actor, drawer)
    for book in runtime.registry().payment_books:
        if method in book.methods and methods.is_booked(method):
            await book.returned(booked)


def _booked(
    bill: Bill, payment_id: int, refund_id: int | None, method: str, amount_minor: int, actor: str, drawer: str | None
) -> BookedPayment:
    return BookedPayment(
        payment_id=payment_id,
        refund_id=refund_id,
        owner_id=bill.owner_id,
        store_id=bill.store_id,
        order_id=bill.id,
        method=method,
        amount_minor=amount_minor,
        currency=bill.currency,
        actor=actor,
        drawer=drawer,
        booked_at=clock.now(),
    )
