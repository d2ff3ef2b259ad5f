"""Cash payments and refunds find their drawer."""

from dataclasses import replace

import pytest
from comanda.errors import Conflict, ValidationFailed


async def expected(drawers, *shifts):
    return [(await drawers.shift(shift))["expected"] for shift in shifts]


async def test_cash_goes_to_the_only_open_drawer_whoever_took_it(drawers, book):
    shift = await drawers.open("Bar", 100)

    payment = await drawers.take(1250, actor="staff:901")
    await book(await drawers.refund(payment, 250, actor="staff:902"))

    found = await drawers.shift(shift)
    assert found["expected"] == 110.0
    assert found["summary"]["payment"] == {"count": 1, "amount": 12.5}
    assert found["summary"]["refund"] == {"count": 1, "amount": -2.5}
    back, taken, _ = found["movements"]
    assert (taken["payment_id"], taken["order_id"], taken["actor"]) == (
        payment.payment_id, drawers.order_id, "staff:901",
    )  # fmt: skip
    assert (back["payment_id"], back["amount"], back["actor"]) == (payment.payment_id, -2.5, "staff:902")
    assert back["refund_id"] is not None
    assert await drawers.unassigned() == []


async def test_of_several_drawers_cash_goes_to_the_named_one_else_to_the_actors_own(drawers):
    ana = await drawers.member()
    bar = await drawers.open("Bar", 0)
    own = (await ana.send("POST", "", {"drawer": "Terrace", "opening_float": 0})).document

    await drawers.take(100, actor=ana.actor)
    await drawers.take(20, actor=ana.actor, drawer="bAR")
    await drawers.take(3, actor=f"owner:{drawers.owner.id}")
    assert await expected(drawers, bar, own) == [0.23, 1.0]

    lost = await drawers.take(500, actor="staff:905")
    assert [(cash["payment_id"], cash["amount"], cash["shift_id"]) for cash in await drawers.unassigned()] == [
        (lost.payment_id, 5.0, None)
    ]
    assert await expected(drawers, bar, own) == [0.23, 1.0]


async def test_of_several_own_drawers_it_is_the_one_opened_last(drawers):
    first, last = await drawers.open("Bar", 0), await drawers.open("Terrace", 0)

    await drawers.take(100, actor=f"owner:{drawers.owner.id}")

    assert await expected(drawers, first, last) == [0.0, 1.0]


async def test_a_named_drawer_that_is_not_open_refuses_the_cash(drawers, elsewhere, book):
    await elsewhere.open("Terrace")
    await drawers.close(await drawers.open("Bar"))
    await drawers.open("Kitchen")
    before = await drawers.rows()

    for drawer in ("Bar", "Terrace"):
        with pytest.raises(ValidationFailed) as refused:
            await book(await drawers.payment(100, drawer))
        assert set(refused.value.errors) == {"drawer"}

    assert await drawers.rows() == before


async def test_cash_without_any_open_drawer_is_shown_as_unassigned(drawers, elsewhere, book):
    await elsewhere.open()

    payment = await drawers.take(1000)
    await book(await drawers.refund(payment, 400))

    assert [(cash["kind"], cash["amount"], cash["currency"]) for cash in await drawers.unassigned()] == [
        ("refund", -4.0, "EUR"), ("payment", 10.0, "EUR"),
    ]  # fmt: skip
    assert await elsewhere.unassigned() == []


async def test_a_repeat_books_nothing_also_when_the_drawer_was_closed_or_opened_since(drawers, book):
    shift = await drawers.open("Bar", 0)
    payment = await drawers.take(1000, drawer="Bar")
    refund = await drawers.refund(payment, 300)
    await book(refund)
    await drawers.close(shift, 7)
    later = await drawers.open("Terrace", 0)
    before = await drawers.rows()

    for again in (payment, refund, replace(payment, drawer="Terrace")):
        await book(again)

    assert await drawers.rows() == before
    assert await expected(drawers, shift, later) == [7.0, 0.0]


async def test_one_refund_that_gives_back_two_payments_is_noted_for_each(drawers, book):
    shift = await drawers.open("Bar", 0)
    first, second = await drawers.take(600), await drawers.take(400)
    of_first = await drawers.refund(first, 600)

    await book(of_first)
    await book(replace(of_first, payment_id=second.payment_id, amount_minor=100))

    assert await expected(drawers, shift) == [3.0]


async def test_a_refund_may_leave_a_drawer_short_and_the_count_shows_it(drawers, book):
    payment = await drawers.take(1000)
    shift = await drawers.open("Bar", 4)

    await book(await drawers.refund(payment, 1000))

    closed = await drawers.close(shift, 0)
    assert (closed["expected"], closed["difference"]) == (-6.0, 6.0)


@pytest.mark.usefixtures("strict")
async def test_where_the_operator_says_so_a_drawer_gives_no_more_than_it_has(drawers, book):
    payment = await drawers.take(1000)
    shift = await drawers.open("Bar", 4)
    before = await drawers.rows()

    with pytest.raises(Conflict) as refused:
        await book(await drawers.refund(payment, 401))
    assert refused.value.extras == {"reason": "drawer_short"}
    moved = await drawers.move(shift, "paid_out", 4.01)
    assert (moved.status, moved["reason"]) == (409, "drawer_short")
    assert await drawers.rows() == before

    await book(await drawers.refund(payment, 400))
    assert await expected(drawers, shift) == [0.0]


async def test_a_drawer_adds_up_cash_of_any_size(drawers, book):
    """Two such payments exceed what a column of eight bytes holds."""
    shift = await drawers.open("Bar", 0)
    for _ in range(2):
        await drawers.take(minor=9 * 10**18)

    assert (await drawers.shift(shift))["expected"] == 18e16
    assert [found["expected"] for found in (await drawers.get("/shifts"))["data"]] == [18e16]
    closed = await drawers.close(shift, 0)
    assert (closed.status, closed["expected"], closed["difference"]) == (200, 18e16, -18e16)
