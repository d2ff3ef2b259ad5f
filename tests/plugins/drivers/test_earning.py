"""What drivers earn, and what is taken back."""

import asyncio
from datetime import UTC, datetime

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line

NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday


async def earned(rider, query=""):
    return await rider.get(f"/earnings{query}")


@pytest.fixture
async def paying(kitchen, clock):
    clock.set(NOON)
    assert (await kitchen.terms(driver_pay=3.5)).status == 200
    return kitchen


async def delivered(kitchen, rider, tip=0):
    order = await kitchen.delivery(tip_amount=tip)
    await kitchen.assign(order, rider.id)
    assert (await rider.set(order["id"], "delivered")).status == 200
    return order


async def test_a_delivery_earns_its_pay_and_its_tip_as_they_were_then(paying, rider):
    first, second = await delivered(paying, rider, 2), await delivered(paying, rider)
    await paying.terms(driver_pay=9)

    found = await earned(rider)

    assert (found["from"], found["to"], found["currency"]) == ("2026-03-09", "2026-03-15", "EUR")
    assert (found["deliveries"], found["base"], found["tips"], found["adjustments"], found["total"]) == (2, 7, 2, 0, 9)
    assert [(item["order_id"], item["base"], item["tip"], item["total"]) for item in found["items"]] == [
        (second["id"], 3.5, 0, 3.5), (first["id"], 3.5, 2, 5.5),
    ]  # fmt: skip


async def test_a_tip_that_comes_with_a_payment_is_the_drivers_whenever_it_comes(paying, rider, dispatch):
    early, late = await paying.delivery(tip_amount=1), await paying.assigned(rider)
    # It arrives, and is paid at the store afterwards.
    assert (await rider.set(late["id"], "delivered", cash_collected=0)).status == 200
    pay = {"method": "cash", "tip": 1.5}
    assert (await paying.send("POST", f"/orders/{early['id']}/payments", {**pay, "amount": 11})).status == 201
    await paying.assign(early, rider.id)
    await rider.set(early["id"], "delivered")
    assert (await paying.send("POST", f"/orders/{late['id']}/payments", {**pay, "amount": 10})).status == 201
    takeaway = await paying.order(line(paying.pizza))
    assert (await paying.send("POST", f"/orders/{takeaway['id']}/payments", {**pay, "amount": 10})).status == 201
    await dispatch()

    found = await earned(rider)

    assert (found["tips"], {item["order_id"]: item["tip"] for item in found["items"]}) == (
        4, {early["id"]: 2.5, late["id"]: 1.5},
    )  # fmt: skip
    assert await sql.fetch_value("SELECT count(*) FROM drivers_tip WHERE owner_id = $1", paying.owner.id) == 2


async def test_what_did_not_arrive_after_all_is_taken_back_and_paid_once(paying, rider):
    order = await delivered(paying, rider, 1)
    assert (await paying.override(order, "failed")).status == 200
    assert (await earned(rider))["total"] == 0

    for status in ("delivered", "failed", "delivered", "delivered"):
        await paying.override(order, status)
    assert (await earned(rider))["total"] == 4.5

    other = await paying.rider("Eva", "+351961234568")
    await paying.assign(order, other.id)
    assert ((await earned(rider))["total"], (await earned(other))["total"]) == (0, 0)
    await other.set(order["id"], "delivered")
    assert ((await earned(rider))["total"], (await earned(other))["total"]) == (0, 4.5)


async def test_deliveries_that_arrive_many_times_at_once_are_paid_once(paying, rider):
    order = await paying.delivery()
    await paying.assign(order, rider.id)

    await asyncio.gather(*(rider.set(order["id"], "delivered") for _ in range(8)))

    assert (await earned(rider))["deliveries"] == 1


async def test_what_nobody_brought_earns_nobody_anything(paying, rider):
    order = await paying.delivery()
    await paying.override(order, "delivered")

    assert (await earned(rider))["deliveries"] == 0


async def test_days_are_the_stores(client, owner, clock, paying, rider):
    # Half past midnight in Lisbon's summer is the day before in UTC.
    await paying.send("PUT", "/settings", {"timezone": "Europe/Lisbon"})
    clock.set(datetime(2026, 7, 5, 23, 30, tzinfo=UTC))
    await delivered(paying, rider)

    assert [(await earned(rider, f"?from={day}&to={day}"))["deliveries"] for day in ("2026-07-05", "2026-07-06")] == [
        0,
        1,
    ]
    week = await earned(rider)
    assert (week["from"], week["to"], week["deliveries"]) == ("2026-07-06", "2026-07-12", 1)


async def test_owners_add_and_take_and_the_driver_reads_why(paying, rider, other_owner, foreign, clock):
    path = f"/api/v1/drivers/{rider.id}/adjustments"
    added = await paying.send_to(path, "POST", {"amount": 10, "reason": "Rain"})
    clock.advance(seconds=1)
    taken = await paying.send_to(path, "POST", {"amount": -2.25, "reason": "Till", "restaurant_id": paying.id})

    assert (added.status, added["amount"], added["currency"], added["driver_id"]) == (201, 10, "EUR", rider.id)
    assert (taken.status, taken["amount"], taken["restaurant_id"]) == (201, -2.25, paying.id)
    found = await earned(rider)
    assert (found["adjustments"], found["total"], found["items"]) == (7.75, 7.75, [])
    assert [(each["amount"], each["reason"]) for each in found["adjusted"]] == [(-2.25, "Till"), (10, "Rain")]

    for body, field in (
        ({"amount": 0, "reason": "x"}, "amount"),
        ({"amount": 1.001, "reason": "x"}, "amount"),
        ({"amount": 1, "reason": " "}, "reason"),
        ({"amount": 1, "reason": "x", "restaurant_id": foreign.id}, "restaurant_id"),
    ):
        assert list((await paying.send_to(path, "POST", body)).errors) == [field]
    assert (await foreign.send_to(path, "POST", {"amount": 1, "reason": "x"})).status == 404
    assert (await earned(rider))["total"] == 7.75


async def test_of_several_currencies_the_driver_says_which(paying, rider, owner):
    abroad = await owner.store(currency="GBP")
    path = f"/api/v1/drivers/{rider.id}/adjustments"
    assert list((await paying.send_to(path, "POST", {"amount": 1, "reason": "x"})).errors) == ["restaurant_id"]
    await delivered(paying, rider)
    await paying.send_to(path, "POST", {"amount": 2, "reason": "x", "restaurant_id": abroad})

    both = await rider.send("GET", "/earnings")
    assert (list(both.errors), both["choices"]) == (["currency"], ["EUR", "GBP"])
    pounds = await earned(rider, "?currency=GBP")
    assert (pounds["currency"], pounds["total"], pounds["deliveries"]) == ("GBP", 2, 0)
    assert (await earned(rider, f"?restaurant_id={paying.id}"))["total"] == 3.5


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?from=2026-03-10&to=2026-03-09", "to"),
        ("?from=2026-01-01&to=2026-12-31", "to"),
        ("?from=x", "from"),
        ("?to=0000-00-00", "to"),
        ("?currency=x", "currency"),
        ("?restaurant_id=0", "restaurant_id"),
        ("?restaurant_id=987654321", "restaurant_id"),
    ],
)
async def test_days_and_stores_that_will_not_do_are_refused(paying, rider, query, field):
    assert list((await rider.send("GET", f"/earnings{query}")).errors) == [field]


@pytest.mark.parametrize("query", ["?from=0001-01-01", "?to=0001-01-01", "?from=9999-12-31", "?to=9999-12-31"])
async def test_the_ends_of_the_calendar_are_days_too(paying, rider, query):
    assert (await rider.send("GET", f"/earnings{query}")).status in {200, 422}
