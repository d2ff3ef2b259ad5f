"""Earnings of drivers, reversals and adjustments."""

import asyncio
from datetime import UTC, datetime

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_delivery_earns_current_pay_and_tip(paying, driver):
    first, second = await paying.place_delivered(driver, 2), await paying.place_delivered(driver)
    await paying.set_terms(driver_pay=9)

    found = await driver.get_earnings()

    assert (found["from"], found["to"], found["currency"]) == ("2026-03-09", "2026-03-15", "EUR")
    assert (found["deliveries"], found["base"], found["tips"], found["adjustments"], found["total"]) == (2, 7, 2, 0, 9)
    assert [(item["order_id"], item["base"], item["tip"], item["total"]) for item in found["items"]] == [
        (second["id"], 3.5, 0, 3.5), (first["id"], 3.5, 2, 5.5),
    ]  # fmt: skip


async def test_undone_delivery_is_reversed_and_paid_once(paying, driver):
    order = await paying.place_delivered(driver, 1)
    assert (await paying.override_status(order, "failed")).status == 200
    assert (await driver.get_earnings())["total"] == 0

    for status in ("delivered", "failed", "delivered", "delivered"):
        await paying.override_status(order, status)
    assert (await driver.get_earnings())["total"] == 4.5

    other = await paying.add_driver("Eva", "+351961234568")
    await paying.assign(order, other.id)
    assert ((await driver.get_earnings())["total"], (await other.get_earnings())["total"]) == (0, 0)
    await other.set_status(order["id"], "delivered")
    assert ((await driver.get_earnings())["total"], (await other.get_earnings())["total"]) == (0, 4.5)


async def test_concurrent_deliveries_are_paid_once(paying, driver):
    order = await paying.place_delivery()
    await paying.assign(order, driver.id)

    await asyncio.gather(*(driver.set_status(order["id"], "delivered") for _ in range(8)))

    assert (await driver.get_earnings())["deliveries"] == 1


async def test_delivery_without_driver_earns_nothing(paying, driver):
    order = await paying.place_delivery()
    await paying.override_status(order, "delivered")

    assert (await driver.get_earnings())["deliveries"] == 0


async def test_days_are_in_the_time_zone_of_the_store(client, owner, clock, paying, driver):
    # Half past midnight in Lisbon's summer is the day before in UTC.
    await paying.send("PUT", "/settings", {"timezone": "Europe/Lisbon"})
    clock.set(datetime(2026, 7, 5, 23, 30, tzinfo=UTC))
    await paying.place_delivered(driver)

    assert [
        (await driver.get_earnings(f"?from={day}&to={day}"))["deliveries"] for day in ("2026-07-05", "2026-07-06")
    ] == [
        0,
        1,
    ]
    week = await driver.get_earnings()
    assert (week["from"], week["to"], week["deliveries"]) == ("2026-07-06", "2026-07-12", 1)


async def test_owner_adjusts_earnings_with_a_reason(paying, driver, other_owner, foreign, clock):
    path = f"/api/v1/drivers/{driver.id}/adjustments"
    added = await paying.send_to(path, "POST", {"amount": 10, "reason": "Rain"})
    clock.advance(seconds=1)
    taken = await paying.send_to(path, "POST", {"amount": -2.25, "reason": "Till", "restaurant_id": paying.id})

    assert (added.status, added["amount"], added["currency"], added["driver_id"]) == (201, 10, "EUR", driver.id)
    assert (taken.status, taken["amount"], taken["restaurant_id"]) == (201, -2.25, paying.id)
    found = await driver.get_earnings()
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
    assert (await driver.get_earnings())["total"] == 7.75


async def test_several_currencies_require_a_choice(paying, driver, owner):
    abroad = await owner.store(currency="GBP")
    path = f"/api/v1/drivers/{driver.id}/adjustments"
    assert list((await paying.send_to(path, "POST", {"amount": 1, "reason": "x"})).errors) == ["restaurant_id"]
    await paying.place_delivered(driver)
    await paying.send_to(path, "POST", {"amount": 2, "reason": "x", "restaurant_id": abroad})

    both = await driver.send("GET", "/earnings")
    assert (list(both.errors), both["choices"]) == (["currency"], ["EUR", "GBP"])
    pounds = await driver.get_earnings("?currency=GBP")
    assert (pounds["currency"], pounds["total"], pounds["deliveries"]) == ("GBP", 2, 0)
    assert (await driver.get_earnings(f"?restaurant_id={paying.id}"))["total"] == 3.5


async def test_payment_tips_are_earned_before_and_after_delivery(paying, driver, dispatch):
    early, late = await paying.place_delivery(tip_amount=1), await paying.place_assigned(driver)
    # It arrives, and is paid at the store afterwards.
    assert (await driver.set_status(late["id"], "delivered", cash_collected=0)).status == 200
    pay = {"method": "cash", "tip": 1.5}
    assert (await paying.send("POST", f"/orders/{early['id']}/payments", {**pay, "amount": 11})).status == 201
    await paying.assign(early, driver.id)
    await driver.set_status(early["id"], "delivered")
    assert (await paying.send("POST", f"/orders/{late['id']}/payments", {**pay, "amount": 10})).status == 201
    takeaway = await paying.order(line(paying.pizza))
    assert (await paying.send("POST", f"/orders/{takeaway['id']}/payments", {**pay, "amount": 10})).status == 201
    await dispatch()

    found = await driver.get_earnings()

    assert (found["tips"], {item["order_id"]: item["tip"] for item in found["items"]}) == (
        4, {early["id"]: 2.5, late["id"]: 1.5},
    )  # fmt: skip
    assert await sql.fetch_value("SELECT count(*) FROM drivers_tip WHERE owner_id = $1", paying.owner.id) == 2
