"""Orders that are paid in cash and given back, over HTTP: the drawer holds what lies in it."""

import asyncio

import pytest
from comanda.devkit.testing.stores import line


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


async def test_what_lies_in_the_drawer_is_the_cash_with_its_tip_and_without_its_change(drawers, till):
    shift = await drawers.open("Bar", 100)
    order = await till()

    card = await order.pay("card_external", amount=5)
    cash = await order.pay(amount=20, tip=1.5)

    assert (card.status, cash.status, cash["change"]) == (201, 201, 5.0)
    found = await drawers.shift(shift)
    assert found["expected"] == 116.5
    assert found["summary"]["payment"] == {"count": 1, "amount": 16.5}
    assert [(move["payment_id"], move["order_id"]) for move in found["movements"][:1]] == [(cash["id"], order.order_id)]


async def test_a_refund_takes_out_what_had_been_paid_in_cash(drawers, till):
    first = await drawers.open("Bar", 0)
    order = await till()
    await order.pay("card_external", amount=5)
    await order.pay(amount=15)
    await drawers.close(first, 15)
    second = await drawers.open("Bar", 50)

    refund = await order.refund(amount=18)

    assert refund.status == 201
    assert (await drawers.shift(first))["expected"] == 15.0
    found = await drawers.shift(second)
    assert found["expected"] == 35.0
    assert [(move["kind"], move["amount"], move["refund_id"]) for move in found["movements"][:1]] == [
        ("refund", -15.0, refund["id"])
    ]


async def test_the_drawer_that_is_named_has_the_cash(drawers, till):
    bar, terrace = await drawers.open("Bar", 0), await drawers.open("Terrace", 0)
    order = await till()

    await order.pay(amount=15, drawer="Bar")
    await order.pay(amount=5)
    await order.refund(amount=2, drawer="bar")

    assert [(await drawers.shift(shift))["expected"] for shift in (bar, terrace)] == [13.0, 5.0]


async def test_a_drawer_that_is_not_open_takes_no_cash_and_nothing_of_the_payment_is_left(drawers, till):
    await drawers.open("Bar")
    paid, order = await till(), await till()
    await paid.pay()
    before, state, paid_state = await drawers.rows(), await order.state(), await paid.state()

    refused = await order.pay(drawer="Terrace")
    kept = await paid.refund(drawer="Terrace")

    assert (set(refused.errors), set(kept.errors)) == ({"drawer"}, {"drawer"})
    assert await drawers.rows() == before
    assert (await order.state(), await paid.state()) == (state, paid_state)


async def test_a_repeated_payment_is_in_the_drawer_once(drawers, till):
    shift = await drawers.open("Bar", 0)
    order = await till()

    replies = await asyncio.gather(*(order.pay(amount=5, key="a") for _ in range(10)))

    assert len({reply["id"] for reply in replies}) == 1
    assert (await drawers.shift(shift))["expected"] == 5.0


async def test_cash_without_a_drawer_is_taken_and_shown_to_the_owner(drawers, till):
    order = await till()

    paid = await order.pay()

    assert (paid.status, paid["payment_status"]) == (201, "paid")
    assert [(cash["payment_id"], cash["amount"]) for cash in await drawers.unassigned()] == [(paid["id"], 20.0)]


@pytest.mark.usefixtures("strict")
async def test_a_refund_that_leaves_the_drawer_short_is_refused_whole_where_the_operator_says_so(drawers, till):
    order = await till()
    await order.pay()
    await drawers.open("Bar", 19.99)
    before, state = await drawers.rows(), await order.state()

    refused = await order.refund()

    assert (refused.status, refused["reason"]) == (409, "drawer_short")
    assert await drawers.rows() == before
    assert await order.state() == state


async def test_orders_that_are_paid_and_given_back_while_the_drawer_is_counted_are_all_noted_once(drawers, till):
    shift = await drawers.open("Bar", 0)
    paid = [await till() for _ in range(5)]
    for order in paid:
        await order.pay()
    coming = [await till() for _ in range(10)]

    steps = [order.pay() for order in coming] + [order.refund(amount=1) for order in paid]
    steps[7:7] = [drawers.close(shift, 0)]
    replies = await asyncio.gather(*steps)

    assert {reply.status for reply in replies} == {200, 201}
    closed = await drawers.shift(shift)
    assert closed["expected"] == sum(total["amount"] for total in closed["summary"].values())
    lost = (await drawers.get("/shifts/unassigned?per_page=100"))["data"]
    noted = [move for move in closed["movements"] if move["payment_id"]]
    assert len(noted) + len(lost) == len({(move["payment_id"], move["refund_id"]) for move in noted + lost}) == 20
    assert sum(move["amount"] for move in noted + lost) == 15 * 20 - 5
