"""Payments and refunds of orders with charges."""

import pytest
from comanda.contracts import Charge
from comanda.orders.bills.charges import add_charge_of

DEPOSIT = Charge("booking_fee", "Booking fee", 500, is_refundable=False)
LATE_FEE = Charge("late_fee", "Returned late", 300)


@pytest.fixture
def add(owner, store):
    async def add(order, charge):
        await add_charge_of(owner.id, store.id, order["id"], charge, actor="test", plugin="rental")

    return add


async def test_non_refundable_charge_is_kept(order, till, add):
    await add(order, DEPOSIT)
    await till.pay("cash", amount=25)

    refused = await till.refund(amount=20.01)
    refunded = await till.refund()

    assert refused.errors == {"amount": ["At most 20.00 EUR of this order can be refunded."]}
    assert (refunded.status, refunded["amount"]) == (201, 20)
    assert await till.money() == ("partially_refunded", 25, 20)
    assert (await till.refund()).status == 409


async def test_non_refundable_charge_is_kept_when_cancelled(store, order, till, add):
    await add(order, DEPOSIT)
    await till.pay("cash", amount=25)
    await store.set_status(order["id"], "cancelled")

    assert (await till.refund())["amount"] == 20


async def test_refundable_charge_is_paid_back(order, till, add):
    await add(order, LATE_FEE)
    await till.pay("cash", amount=23)

    assert (await till.refund())["amount"] == 23


async def test_late_fee_of_a_paid_order_can_be_paid(order, till, add, paid_events):
    await till.pay("cash")
    await add(order, LATE_FEE)

    due = (await till.order())["amount_due"]
    paid = await till.pay("cash")
    again = await till.pay("cash")

    assert (due, paid.status, paid["amount"]) == (3, 201, 3)
    assert again.status == 409
    assert await till.money() == ("paid", 23, 0)
    assert len(await paid_events()) == 1
