"""The amount due and payment status of orders."""

from contextlib import asynccontextmanager

import pytest
from comanda.contracts.orders.status import PaymentStatus
from comanda.devkit.testing.stores import line
from comanda.orders.bills import balance, settlement
from comanda.platform.db import sql


@asynccontextmanager
async def bill_of(order, owner):
    async with sql.transaction():
        yield await settlement.lock_bill_of(owner.id, order["restaurant_id"], order["id"])


@pytest.fixture
async def order(store):
    """An order of 16.90."""
    return await store.order(line(await store.item("Pizza", 16.9)))


@pytest.fixture
def settled(owner):
    """Book payments, and refunds as negative amounts, in minor units; return the bill as it is then."""

    async def settle(order, *amounts):
        for amount in amounts:
            async with bill_of(order, owner) as bill:
                after = await settlement.settle(bill, "test", paid_minor=max(0, amount), refunded_minor=max(0, -amount))
        return after

    return settle


@pytest.fixture
def seen(store, client):
    """Read ``is_paid`` and ``amount_due`` of an order as its owner and the public see them, and as statements do."""

    async def read(order):
        whole = (await store.get(f"/orders/{order['id']}")).document
        listed = (await store.get("/orders"))["data"][0]
        public = await (await client.get(f"/api/v1/track/{order['track_token']}")).get_json()
        found = {(each["is_paid"], each["amount_due"]) for each in (whole, listed, public)}
        row = await sql.fetch_one(
            f"SELECT {balance.IS_PAID} AS is_paid, {balance.AMOUNT_DUE} AS due FROM core_order o WHERE o.id = $1",
            order["id"],
        )
        assert found == {(row["is_paid"], row["due"] / 100)}
        return whole["payment_status"], whole["is_paid"], whole["amount_due"]

    return read


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ([500], ("partially_paid", False, 11.9)),
        ([500, -500], ("refunded", False, 16.9)),
        ([400, -100, 200], ("partially_refunded", False, 11.9)),
        ([1689, -1689, 5, -5], ("refunded", False, 16.9)),
        ([1689, -1689, 5], ("partially_paid", False, 16.85)),
        ([1689, -1689, 1690], ("paid", True, 0)),
        ([500, -500, 1000, 690], ("paid", True, 0)),
        ([1690], ("paid", True, 0)),
        ([1690, -690], ("partially_refunded", True, 0)),
        ([1690, -1690], ("refunded", True, 0)),
        ([1690, -1690, 500], ("partially_refunded", True, 0)),
        ([1690, 500], ("paid", True, 0)),
        ([1690, 500, -500], ("paid", True, 0)),
    ],
    ids=str,
)
async def test_amount_due_is_the_same_everywhere(order, settled, seen, amounts, expected):
    await settled(order, *amounts)

    assert await seen(order) == expected


async def test_a_new_order_owes_its_total(order, seen):
    assert (order["is_paid"], order["amount_due"]) == (False, 16.9)
    assert await seen(order) == ("unpaid", False, 16.9)


async def test_a_payment_is_of_its_order_alone(order, store, settled, seen):
    later = await store.order(line(await store.item("Soup", 5)))

    after = await settled(later, 500)

    assert (after.id, after.total_minor, after.paid_minor) == (later["id"], 500, 500)
    assert (await store.get(f"/orders/{order['id']}"))["payment_status"] == "unpaid"
    assert await seen(later) == ("paid", True, 0)


async def test_cancelled_order_has_no_amount_due(order, settled, seen, store):
    await settled(order, 500)

    await store.set_status(order["id"], "cancelled")
    assert await seen(order) == ("partially_paid", False, 0)

    await store.set_status(order["id"], "new")
    assert await seen(order) == ("partially_paid", False, 11.9)


async def test_free_order_is_paid_when_it_is_placed(store, settled, seen):
    order = await store.order(line(await store.item("Water", 0)))
    assert await seen(order) == ("paid", True, 0)

    await settled(order, 0)

    assert await seen(order) == ("paid", True, 0)


async def test_paid_at_is_when_the_total_was_covered(order, settled, clock):
    await settled(order, 1000)
    clock.advance(minutes=1)
    covered_at = clock()
    await settled(order, 690)
    clock.advance(minutes=1)
    await settled(order, -690, 100)

    assert await sql.fetch_value("SELECT paid_at FROM core_order WHERE id = $1", order["id"]) == covered_at


@pytest.mark.parametrize(
    ("amount", "step", "expected"), [(1002, 5, 1000), (1003, 5, 1005), (1002, 0, 1002), (2, 5, 0), (1025, 50, 1050)]
)
def test_cash_is_rounded_half_up_to_the_step(amount, step, expected):
    assert balance.round_to_cash_step(amount, step) == expected


def test_payment_status_covers_all_cases():
    assert balance.to_payment_status(1690, 1694, 1689, is_paid=False) is PaymentStatus.PARTIALLY_PAID
    assert balance.to_payment_status(1690, 1694, 1694, is_paid=False) is PaymentStatus.REFUNDED
    assert balance.to_payment_status(1690, 1691, 1690, is_paid=True, late_due_minor=9) is PaymentStatus.PARTIALLY_PAID
    assert balance.to_payment_status(1690, 1690, 1690, is_paid=True, late_due_minor=9) is PaymentStatus.UNPAID


@pytest.mark.parametrize(("kept", "expected"), [(1689, 1), (1690, 0), (1691, 0)])
def test_nothing_is_due_once_the_total_is_kept(kept, expected):
    due = balance.calculate_due(1690, kept, was_covered=False, late_due_minor=0, status="new")

    assert due == expected
