"""Payments and refunds in payment books, such as a cash drawer: with the payment, or not at all."""

from dataclasses import replace

import pytest
from comanda.basics import Conflict
from comanda.contracts import PaymentBook
from comanda.platform import runtime as runtime_module


@pytest.fixture
def book(app):
    """A payment book for cash and the gateway, with the lists ``payments`` and ``refunds``."""

    class Book:
        def __init__(self):
            self.is_refusing = False
            self.payments, self.refunds = [], []

        async def record_payment(self, entry):
            self._record(self.payments, entry)

        async def record_refund(self, entry):
            self._record(self.refunds, entry)

        def _record(self, entries, entry):
            if self.is_refusing:
                raise Conflict("No drawer is open.", extras={"reason": "no_drawer"})
            entries.append(entry)

    recorder = Book()
    before = runtime_module.current()
    books = (PaymentBook("test", ("cash", "stripe"), recorder.record_payment, recorder.record_refund),)
    runtime_module.use(replace(before, registry=replace(before.registry, payment_books=books)))
    yield recorder
    runtime_module.use(before)


async def test_cash_payment_is_recorded(book, store, till, order, owner):
    payment = await till.pay("cash", 50, tip=1, drawer="Bar")
    await till.pay("cash")

    (entry,) = book.payments
    assert (entry.payment_id, entry.refund_id, entry.order_id) == (payment["id"], None, order["id"])
    assert (entry.owner_id, entry.store_id, entry.actor) == (owner.id, store.id, f"owner:{owner.id}")
    assert (entry.method, entry.amount_minor, entry.currency, entry.drawer) == ("cash", 2100, "EUR", "Bar")


async def test_other_tenders_and_repeats_are_not_recorded(book, till):
    await till.pay("card_external", 5)
    await till.pay("cash", 5, key="a")
    await till.pay("cash", 5, key="a")

    assert [entry.amount_minor for entry in book.payments] == [500]


async def test_rounded_cash_is_recorded(book, store, till_of):
    await store.send("PUT", "/settings", {"cash_rounding": 0.05})
    tea = await store.item("Tea", price=4.32)
    till = till_of(await store.order({"item_id": tea["id"]}))
    await till.pay("cash", 5)
    await till.refund(drawer="Bar")

    assert [entry.amount_minor for entry in book.payments + book.refunds] == [430, 430]
    assert [entry.drawer for entry in book.refunds] == ["Bar"]


async def test_cash_part_of_pending_refund_is_recorded(book, till, gateway):
    await till.pay("cash", 5)
    payment = await till.pay("stripe")
    gateway.pay(gateway.session)
    await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")
    gateway.refund_status = "pending"

    reply = await till.refund()

    assert reply["status"] == "pending"
    assert [(entry.method, entry.amount_minor, entry.refund_id) for entry in book.refunds] == [
        ("cash", 500, reply["id"])
    ]
    assert [entry.method for entry in book.payments] == ["cash"]


@pytest.mark.parametrize("what", ["payment", "refund"])
async def test_refusing_book_rolls_back(book, till, published, what):
    if what == "refund":
        await till.pay()
    before = await till.money(), await till.payments(), await published()
    book.is_refusing = True

    reply = await (till.pay() if what == "payment" else till.refund())

    assert (reply.status, reply["reason"]) == (409, "no_drawer")
    assert (await till.money(), await till.payments(), await published()) == before
    assert await till.refunds() == []
