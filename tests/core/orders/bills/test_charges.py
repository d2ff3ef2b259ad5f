"""Charges that are added to orders after they were placed."""

import pytest
from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.contracts.orders.charges import DELIVERY_FEE, Charge, InvalidContribution
from comanda.contracts.requests.callers import Caller
from comanda.devkit.testing.stores import line
from comanda.orders.bills import settlement
from comanda.orders.bills.charges import add_charge, add_charge_of
from comanda.platform.db import sql

LATE_FEE = Charge("late_fee", "Returned a day late", 1_000)
SELECT_HISTORY = """
    SELECT field, from_value, to_value, actor, note FROM core_order_change WHERE order_id = $1
"""


@pytest.fixture
async def order(store):
    """An order of 20.00."""
    return await store.order(line(await store.item("Drill", 20)))


@pytest.fixture
def settle(owner):
    """Book a payment, or a refund as a negative amount, in minor units."""

    async def settle(order, amount):
        async with sql.transaction():
            bill = await settlement.lock_bill_of(owner.id, order["restaurant_id"], order["id"])
            await settlement.settle(bill, "test", paid_minor=max(0, amount), refunded_minor=max(0, -amount))

    return settle


@pytest.fixture
def add(owner):
    async def add(order, charge=LATE_FEE):
        return await add_charge_of(
            owner.id, order["restaurant_id"], order["id"], charge, actor="plugin:rental", plugin="rental"
        )

    return add


def money_of(order):
    return order["payment_status"], order["is_paid"], order["total"], order["amount_due"]


async def read(store, order):
    return (await store.get(f"/orders/{order['id']}")).document


async def test_late_fee_raises_what_is_due(store, order, add):
    bill = await add(order)

    found = await read(store, order)
    assert (bill.total_minor, bill.amount_due_minor) == (3_000, 3_000)
    assert money_of(found) == ("unpaid", False, 30, 30)
    assert found["charges"] == [
        {"code": "late_fee", "label": "Returned a day late", "amount": 10, "tax": 0, "is_refundable": True}
    ]
    assert found["items"] == order["items"]


async def test_late_fee_after_payment_is_due(store, order, settle, add):
    await settle(order, 2_000)

    await add(order)
    due = money_of(await read(store, order))
    await settle(order, 400)
    partly = money_of(await read(store, order))
    await settle(order, 600)

    assert due == ("partially_paid", False, 30, 10)
    assert partly == ("partially_paid", False, 30, 6)
    assert money_of(await read(store, order)) == ("paid", True, 30, 0)


async def test_earlier_refund_is_not_due_again(store, order, settle, add):
    await settle(order, 2_000)
    await settle(order, -500)

    await add(order)
    due = money_of(await read(store, order))
    await settle(order, 1_000)

    assert due == ("partially_paid", False, 30, 10)
    assert money_of(await read(store, order)) == ("partially_refunded", True, 30, 0)


async def test_overpaid_amount_covers_the_late_fee(store, order, settle, add):
    await settle(order, 2_400)

    await add(order)

    assert money_of(await read(store, order)) == ("partially_paid", False, 30, 6)


async def test_paid_moment_stays_the_first(store, order, settle, add):
    await settle(order, 2_000)
    first = await sql.fetch_value("SELECT paid_at FROM core_order WHERE id = $1", order["id"])

    await add(order)
    await settle(order, 1_000)

    assert first is not None
    assert await sql.fetch_value("SELECT paid_at FROM core_order WHERE id = $1", order["id"]) == first


@pytest.mark.parametrize(("is_included", "tax", "total"), [(True, 1.6, 30), (False, 1.9, 31.9)])
async def test_late_fee_is_taxed_by_itself(store, add, is_included, tax, total):
    await store.send("PUT", "/settings", {"is_tax_included": is_included})
    order = await store.order(line(await store.item("Drill", 20)))

    await add(order, Charge("late_fee", "Late", 1_000, tax_rate_ppm=190_000))

    found = await read(store, order)
    assert (found["charges"][0]["tax"], found["tax_total"], found["total"]) == (tax, order["tax_total"] + tax, total)
    net = 8.4 if is_included else 10
    assert found["taxes"] == [
        {"rate": 0, "net": 20, "tax": 0, "gross": 20},
        {"rate": 19, "net": net, "tax": tax, "gross": net + tax},
    ]


async def test_same_charge_again_changes_nothing(store, order, add, published):
    await add(order)
    first = await read(store, order)

    await add(order)

    assert await read(store, order) == first
    assert [name for name, _ in await published()].count("order.charge_added") == 1


async def test_other_charge_with_the_same_code_is_refused(store, order, add):
    await add(order)

    with pytest.raises(Conflict):
        await add(order, Charge("late_fee", "Later still", 2_000))

    assert (await read(store, order))["total"] == 30


async def test_charge_is_announced_and_in_the_history(store, order, add, settle, published):
    await settle(order, 2_000)

    await add(order)

    events = [data for name, data in await published() if name == "order.charge_added"]
    assert events == [
        {
            "order_id": order["id"],
            "restaurant_id": order["restaurant_id"],
            "code": "late_fee",
            "label": "Returned a day late",
            "amount": "10.00",
            "tax": "0.00",
            "total": "30.00",
            "amount_due": "10.00",
            "currency": "EUR",
            "actor": "plugin:rental",
        }
    ]
    assert {tuple(row) for row in await sql.fetch(SELECT_HISTORY, order["id"])} == {
        ("payment_status", "unpaid", "paid", "test", None),
        ("charges", None, "late_fee", "plugin:rental", "Returned a day late: 10.00 EUR"),
        ("payment_status", "paid", "partially_paid", "plugin:rental", None),
    }


async def test_cancelled_order_takes_no_charge(store, order, add):
    await store.set_status(order["id"], "cancelled")

    with pytest.raises(Conflict, match="cancelled"):
        await add(order)

    assert (await read(store, order))["charges"] == []


async def test_charge_of_an_order_of_another_owner_is_refused(order, other_owner):
    foreign = Caller("owner", other_owner.id, other_owner.id, None, None, frozenset({"*"}), None)

    with pytest.raises(NotFound):
        await add_charge(foreign, order["restaurant_id"], order["id"], LATE_FEE, plugin="rental")


async def test_total_stays_within_the_limit(store, order, add, runtime):
    with pytest.raises(ValidationFailed, match="at most"):
        await add(order, Charge("late_fee", "Late", runtime.settings.max_order_total_minor))

    assert (await read(store, order))["total"] == 20


async def test_codes_with_columns_cannot_be_added(order, add):
    with pytest.raises(ValueError, match="delivery_fee"):
        await add(order, Charge(DELIVERY_FEE, "Delivery", 100))


async def test_wrong_amount_never_reaches_the_order(order, add):
    with pytest.raises(InvalidContribution):
        await add(order, Charge("late_fee", "Late", 10.0))
