"""Dispatch by owners: assigning drivers, and setting any status."""

from datetime import datetime
from itertools import product

import pytest
from comanda.contracts import DeliveryStatus
from comanda.platform.db import sql

ALL = [status.value for status in DeliveryStatus]


@pytest.mark.parametrize(("now", "to"), [*product(ALL, ALL)], ids="-".join)
@pytest.mark.parametrize("has_driver", [True, False], ids=["driver", "nobody"])
async def test_an_owner_sets_any_status_after_any(kitchen, driver, announced, status_events, now, to, has_driver):
    order = await (kitchen.place_assigned(driver) if has_driver else kitchen.place_delivery())
    await kitchen.override_status(order, now)
    said = await announced()

    reply = await kitchen.override_status(order, to, note="By phone")

    assert (reply.status, reply["delivery_status"]) == (200, to)
    assert await announced() == [*said, *([status_events[to]] if to in status_events and to != now else [])]
    is_theirs = has_driver and "pending" not in {now, to}
    assert reply["driver"] == ({"id": driver.id, "name": "Rui Costa", "phone": driver.phone} if is_theirs else None)
    assert await driver.list_ids() == ([order["id"]] if is_theirs else [])
    assert await driver.list_ids("/deliveries?active=1") == (
        [order["id"]] if is_theirs and to not in {"delivered", "failed"} else []
    )


async def test_failed_delivery_is_reassigned_to_another_driver(kitchen, driver, announced):
    other = await kitchen.add_driver("Eva", "+351961234568")
    order = await kitchen.place_assigned(driver)
    await driver.set_status(order["id"], "failed")

    reply = await kitchen.assign(order, other.id)

    assert (reply.status, reply["delivery_status"], reply["driver"]["id"]) == (200, "assigned", other.id)
    assert (await announced()).count("order.driver_assigned") == 2
    assert (await driver.list_ids(), await other.list_ids()) == ([], [order["id"]])
    for refused in (await driver.set_status(order["id"], "delivered"), await driver.claim(order["id"])):
        assert refused.status in {404, 409}
        assert (await kitchen.get_order(order))["delivery_status"] == "assigned"
    assert (await driver.set_status(order["id"], "picked_up")).status == 404


@pytest.mark.parametrize("status", ALL)
async def test_delivery_of_any_status_is_reassigned(kitchen, driver, announced, status):
    order = await kitchen.place_assigned(driver)
    await kitchen.override_status(order, status)
    said = await announced()

    reply = await kitchen.assign(order, driver.id)

    assert (reply.status, reply["delivery_status"], reply["driver"]["id"]) == (200, "assigned", driver.id)
    # The same driver of an order that is assigned is no news.
    assert await announced() == [*said, *([] if status == "assigned" else ["order.driver_assigned"])]
    assert await driver.list_ids("/deliveries?active=1") == [order["id"]]


async def test_reassignment_updates_history_and_timeline(kitchen, driver, clock):
    order = await kitchen.place_assigned(driver)
    other = await kitchen.add_driver("Eva", "+351961234568")
    clock.advance(minutes=5)

    after = await kitchen.assign(order, other.id, note="Rui is ill")

    assert datetime.fromisoformat(after["timeline"]["assigned_at"]) == clock()
    statement = "SELECT from_value, to_value, note FROM core_order_change WHERE order_id = $1 ORDER BY id"
    assert [tuple(row) for row in await sql.fetch(statement, order["id"])] == [
        ("pending", "assigned", None), ("assigned", "assigned", "Rui is ill"),
    ]  # fmt: skip


async def test_assigning_foreign_or_deleted_driver_returns_404(kitchen, foreign, driver, rows):
    stranger, gone = await foreign.add_driver(), await kitchen.add_driver("Eva", "+351961234568")
    assert (await kitchen.send_to(f"/api/v1/drivers/{gone.id}", "DELETE")).status == 204
    order = await kitchen.place_assigned(driver)
    before = await rows()

    replies = [await kitchen.assign(order, driver_id) for driver_id in (stranger.id, gone.id, 987_654_321)]

    assert {(reply.status, reply["code"], reply["message"]) for reply in replies} == {(404, "not_found", "Not found.")}
    assert list((await kitchen.send("POST", f"/orders/{order['id']}/assign", {})).errors) == ["driver_id"]
    assert await rows() == before


async def test_only_deliveries_are_assigned(kitchen, driver, rows):
    order = (await kitchen.place({"item_id": kitchen.pizza["id"]})).document
    before = await rows()

    for reply in (await kitchen.assign(order, driver.id), await kitchen.override_status(order, "pending")):
        assert list(reply.errors) == ["delivery_status"]
    for body in ({"delivery_status": "eaten"}, {"delivery_status": None}, {}, {"status": "new"}):
        reply = await kitchen.send("PUT", f"/orders/{order['id']}/delivery-status", body)
        assert reply.status == 422
    assert await rows() == before
