"""Books that other plugins keep of payments, as a cash drawer does: with the payment, or not at all."""

from dataclasses import replace as changed

import pytest
from comanda import runtime as runtime_module
from comanda.contracts.payments import PaymentBook
from comanda.errors import Conflict


@pytest.fixture
def book(app):
    """Keep a book of cash and of the gateway; what it notes stands in ``taken`` and ``returned``."""

    class Book:
        refuses = False
        taken, returned = [], []

        async def take(self, booked):
            self._note(self.taken, booked)

        async def give(self, booked):
            self._note(self.returned, booked)

        def _note(self, page, booked):
            if self.refuses:
                raise Conflict("No drawer is open.", extras={"reason": "no_drawer"})
            page.append(booked)

    kept = Book()
    kept.taken, kept.returned = [], []
    before = runtime_module.current()
    books = (PaymentBook("test", ("cash", "gateway"), kept.take, kept.give),)
    runtime_module.use(changed(before, registry=changed(before.registry, payment_books=books)))
    yield kept
    runtime_module.use(before)


async def test_what_stays_in_the_drawer_is_noted(book, store, till, order, owner):
    payment = await till.pay("cash", 50, tip=1, drawer="Bar")
    await till.pay("cash")

    (noted,) = book.taken
    assert (noted.payment_id, noted.refund_id, noted.order_id) == (payment["id"], None, order["id"])
    assert (noted.owner_id, noted.store_id, noted.actor) == (owner.id, store.id, f"owner:{owner.id}")
    assert (noted.method, noted.amount_minor, noted.currency, noted.drawer) == ("cash", 2100, "EUR", "Bar")


async def test_other_tenders_and_repeats_are_not_noted(book, till):
    await till.pay("card_external", 5)
    await till.pay("cash", 5, key="a")
    await till.pay("cash", 5, key="a")

    assert [noted.amount_minor for noted in book.taken] == [500]


async def test_coins_are_noted_as_the_store_rounds_them(book, store, till_of):
    await store.send("PUT", "/settings", {"cash_rounding": 0.05})
    tea = await store.item("Tea", price=4.32)
    till = till_of(await store.order({"item_id": tea["id"]}))
    await till.pay("cash", 5)
    await till.refund(drawer="Bar")

    assert [noted.amount_minor for noted in book.taken + book.returned] == [430, 430]
    assert [noted.drawer for noted in book.returned] == ["Bar"]


async def test_cash_that_goes_back_is_noted_beside_what_the_gateway_is_still_to_do(book, till, gateway):
    await till.pay("cash", 5)
    payment = await till.pay("gateway")
    gateway.pay(gateway.session)
    await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")
    gateway.refund_status = "pending"

    reply = await till.refund()

    assert reply["status"] == "pending"
    assert [(noted.method, noted.amount_minor, noted.refund_id) for noted in book.returned] == [
        ("cash", 500, reply["id"])
    ]
    assert [noted.method for noted in book.taken] == ["cash"]


@pytest.mark.parametrize("what", ["payment", "refund"])
async def test_a_book_that_refuses_leaves_nothing_booked(book, till, published, what):
    if what == "refund":
        await till.pay()
    before = await till.money(), await till.payments(), await published()
    book.refuses = True

    reply = await (till.pay() if what == "payment" else till.refund())

    assert (reply.status, reply["reason"]) == (409, "no_drawer")
    assert (await till.money(), await till.payments(), await published()) == before
    assert await till.refunds() == []


@pytest.mark.parametrize("drawer", ["", " ", "x" * 51])
async def test_a_drawer_that_cannot_be_named_is_refused(till, drawer):
    assert list((await till.pay(drawer=drawer)).errors) == ["drawer"]
    assert await till.payments() == []
