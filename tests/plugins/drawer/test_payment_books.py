"""Cash payments and refunds, recorded in a drawer."""

import asyncio
from dataclasses import replace

import pytest
from comanda.basics import ValidationFailed
from comanda.devkit.testing import line


async def test_cash_goes_to_the_only_open_drawer(drawers, book):
    shift = await drawers.open_shift("Bar", 100)

    payment = await drawers.take_cash(1250, actor="staff:901")
    await book(await drawers.create_refund(payment, 250, actor="staff:902"))

    found = await drawers.get_shift(shift)
    assert found["expected"] == 110.0
    assert found["summary"]["payment"] == {"count": 1, "amount": 12.5}
    assert found["summary"]["refund"] == {"count": 1, "amount": -2.5}
    back, taken, _ = found["movements"]
    assert (taken["payment_id"], taken["order_id"], taken["actor"]) == (
        payment.payment_id, drawers.order_id, "staff:901",
    )  # fmt: skip
    assert (back["payment_id"], back["amount"], back["actor"]) == (payment.payment_id, -2.5, "staff:902")
    assert back["refund_id"] is not None
    assert await drawers.list_unassigned() == []


async def test_cash_goes_to_named_drawer_or_own(drawers):
    ana = await drawers.add_member()
    bar = await drawers.open_shift("Bar", 0)
    own = (await ana.send("POST", "", {"drawer": "Terrace", "opening_float": 0})).document

    await drawers.take_cash(100, actor=ana.actor)
    await drawers.take_cash(20, actor=ana.actor, drawer="bAR")
    await drawers.take_cash(3, actor=f"owner:{drawers.owner.id}")
    assert await drawers.list_expected(bar, own) == [0.23, 1.0]

    lost = await drawers.take_cash(500, actor="staff:905")
    assert [(cash["payment_id"], cash["amount"], cash["shift_id"]) for cash in await drawers.list_unassigned()] == [
        (lost.payment_id, 5.0, None)
    ]
    assert await drawers.list_expected(bar, own) == [0.23, 1.0]


async def test_cash_goes_to_own_drawer_opened_last(drawers):
    first, last = await drawers.open_shift("Bar", 0), await drawers.open_shift("Terrace", 0)

    await drawers.take_cash(100, actor=f"owner:{drawers.owner.id}")

    assert await drawers.list_expected(first, last) == [0.0, 1.0]


async def test_named_drawer_must_be_open(drawers, elsewhere, book):
    await elsewhere.open_shift("Terrace")
    await drawers.close_shift(await drawers.open_shift("Bar"))
    await drawers.open_shift("Kitchen")
    before = await drawers.list_rows()

    for drawer in ("Bar", "Terrace"):
        with pytest.raises(ValidationFailed) as refused:
            await book(await drawers.create_payment(100, drawer))
        assert set(refused.value.errors) == {"drawer"}

    assert await drawers.list_rows() == before


async def test_cash_without_an_open_drawer_is_unassigned(drawers, elsewhere, book):
    await elsewhere.open_shift()

    payment = await drawers.take_cash(1000)
    await book(await drawers.create_refund(payment, 400))

    assert [(cash["kind"], cash["amount"], cash["currency"]) for cash in await drawers.list_unassigned()] == [
        ("refund", -4.0, "EUR"), ("payment", 10.0, "EUR"),
    ]  # fmt: skip
    assert await elsewhere.list_unassigned() == []


async def test_repeated_booking_changes_nothing(drawers, book):
    shift = await drawers.open_shift("Bar", 0)
    payment = await drawers.take_cash(1000, drawer="Bar")
    refund = await drawers.create_refund(payment, 300)
    await book(refund)
    await drawers.close_shift(shift, 7)
    later = await drawers.open_shift("Terrace", 0)
    before = await drawers.list_rows()

    for again in (payment, refund, replace(payment, drawer="Terrace")):
        await book(again)

    assert await drawers.list_rows() == before
    assert await drawers.list_expected(shift, later) == [7.0, 0.0]


async def test_refund_of_two_payments_is_recorded_for_each(drawers, book):
    shift = await drawers.open_shift("Bar", 0)
    first, second = await drawers.take_cash(600), await drawers.take_cash(400)
    of_first = await drawers.create_refund(first, 600)

    await book(of_first)
    await book(replace(of_first, payment_id=second.payment_id, amount_minor=100))

    assert await drawers.list_expected(shift) == [3.0]


async def test_refund_may_leave_a_drawer_short(drawers, book):
    payment = await drawers.take_cash(1000)
    shift = await drawers.open_shift("Bar", 4)

    await book(await drawers.create_refund(payment, 1000))

    closed = await drawers.close_shift(shift, 0)
    assert (closed["expected"], closed["difference"]) == (-6.0, 6.0)


@pytest.fixture
def till(drawers):
    """Return a function that opens a till for a new order of 20.00."""

    class Till:
        def __init__(self, order):
            self.path, self.order_id = f"/orders/{order['id']}", order["id"]

        async def pay(self, method="cash", key=None, **fields):
            headers = {"Idempotency_Key": key} if key else {}
            return await drawers.send("POST", f"{self.path}/payments", {"method": method, **fields}, **headers)

        async def refund(self, **fields):
            return await drawers.send("POST", f"{self.path}/refunds", {"reason": "Cold", **fields})

        async def state(self):
            order = (await drawers.get(self.path)).document
            made = (await drawers.get(f"{self.path}/payments"))["total"]
            back = (await drawers.get(f"{self.path}/refunds"))["total"]
            return order["payment_status"], order["paid_total"], order["refunded_total"], made, back

    async def new():
        return Till(await drawers.order(line(drawers.soup, 2)))

    return new


async def test_drawer_holds_cash_with_tip_and_without_change(drawers, till):
    shift = await drawers.open_shift("Bar", 100)
    order = await till()

    card = await order.pay("card_external", amount=5)
    cash = await order.pay(amount=20, tip=1.5)

    assert (card.status, cash.status, cash["change"]) == (201, 201, 5.0)
    found = await drawers.get_shift(shift)
    assert found["expected"] == 116.5
    assert found["summary"]["payment"] == {"count": 1, "amount": 16.5}
    assert [(move["payment_id"], move["order_id"]) for move in found["movements"][:1]] == [(cash["id"], order.order_id)]


async def test_refund_takes_out_the_cash_part(drawers, till):
    first = await drawers.open_shift("Bar", 0)
    order = await till()
    await order.pay("card_external", amount=5)
    await order.pay(amount=15)
    await drawers.close_shift(first, 15)
    second = await drawers.open_shift("Bar", 50)

    refund = await order.refund(amount=18)

    assert refund.status == 201
    assert (await drawers.get_shift(first))["expected"] == 15.0
    found = await drawers.get_shift(second)
    assert found["expected"] == 35.0
    assert [(move["kind"], move["amount"], move["refund_id"]) for move in found["movements"][:1]] == [
        ("refund", -15.0, refund["id"])
    ]


async def test_payments_and_refunds_name_their_drawer(drawers, till):
    bar, terrace = await drawers.open_shift("Bar", 0), await drawers.open_shift("Terrace", 0)
    order = await till()

    await order.pay(amount=15, drawer="Bar")
    await order.pay(amount=5)
    await order.refund(amount=2, drawer="bar")

    assert [(await drawers.get_shift(shift))["expected"] for shift in (bar, terrace)] == [13.0, 5.0]


async def test_closed_drawer_refuses_the_whole_payment(drawers, till):
    await drawers.open_shift("Bar")
    paid, order = await till(), await till()
    await paid.pay()
    before, state, paid_state = await drawers.list_rows(), await order.state(), await paid.state()

    refused = await order.pay(drawer="Terrace")
    kept = await paid.refund(drawer="Terrace")

    assert (set(refused.errors), set(kept.errors)) == ({"drawer"}, {"drawer"})
    assert await drawers.list_rows() == before
    assert (await order.state(), await paid.state()) == (state, paid_state)


async def test_repeated_payment_is_recorded_once(drawers, till):
    shift = await drawers.open_shift("Bar", 0)
    order = await till()

    replies = await asyncio.gather(*(order.pay(amount=5, key="a") for _ in range(10)))

    assert len({reply["id"] for reply in replies}) == 1
    assert (await drawers.get_shift(shift))["expected"] == 5.0


async def test_payment_without_a_drawer_is_accepted(drawers, till):
    order = await till()

    paid = await order.pay()

    assert (paid.status, paid["payment_status"]) == (201, "paid")
    assert [(cash["payment_id"], cash["amount"]) for cash in await drawers.list_unassigned()] == [(paid["id"], 20.0)]


@pytest.mark.usefixtures("strict")
async def test_refund_of_a_short_drawer_is_refused_if_configured(drawers, till):
    order = await till()
    await order.pay()
    await drawers.open_shift("Bar", 19.99)
    before, state = await drawers.list_rows(), await order.state()

    refused = await order.refund()

    assert (refused.status, refused["reason"]) == (409, "drawer_short")
    assert await drawers.list_rows() == before
    assert await order.state() == state


async def test_concurrent_payments_and_count_record_all_cash_once(drawers, till):
    shift = await drawers.open_shift("Bar", 0)
    paid = [await till() for _ in range(5)]
    for order in paid:
        await order.pay()
    coming = [await till() for _ in range(10)]

    steps = [order.pay() for order in coming] + [order.refund(amount=1) for order in paid]
    steps[7:7] = [drawers.close_shift(shift, 0)]
    replies = await asyncio.gather(*steps)

    assert {reply.status for reply in replies} == {200, 201}
    closed = await drawers.get_shift(shift)
    assert closed["expected"] == sum(total["amount"] for total in closed["summary"].values())
    lost = (await drawers.get("/shifts/unassigned?per_page=100"))["data"]
    noted = [move for move in closed["movements"] if move["payment_id"]]
    assert len(noted) + len(lost) == len({(move["payment_id"], move["refund_id"]) for move in noted + lost}) == 20
    assert sum(move["amount"] for move in noted + lost) == 15 * 20 - 5
