"""Status changes of deliveries: history, events, and the order's status."""

import asyncio

import pytest
from comanda.contracts import DeliveryStatus
from comanda.platform.db import sql

ALL = [status.value for status in DeliveryStatus]


async def test_history_and_event_have_actor_and_note(kitchen, driver, published, clock):
    order = await kitchen.place_assigned(driver)

    await driver.set_status(order["id"], "out_for_delivery")
    reply = await driver.set_status(order["id"], "failed", note="Nobody opened.")

    assert reply.status == 200
    changes = await sql.fetch(
        "SELECT from_value, to_value, actor, note FROM core_order_change WHERE order_id = $1 ORDER BY id", order["id"]
    )
    assert [tuple(change) for change in changes] == [
        ("pending", "assigned", f"owner:{kitchen.owner.id}", None),
        ("assigned", "out_for_delivery", f"driver:{driver.id}", None),
        ("out_for_delivery", "failed", f"driver:{driver.id}", "Nobody opened."),
    ]
    assert (await published())[-1] == (
        "order.delivery_failed",
        {
            "order_id": order["id"],
            "restaurant_id": kitchen.id,
            "driver_id": driver.id,
            "delivery_status": "failed",
            "note": "Nobody opened.",
            "at": clock().isoformat(),
        },
    )


@pytest.mark.parametrize("status", ["new", "preparing", "ready", "delivered", "completed", "cancelled"])
async def test_delivered_order_gets_the_status_delivered(kitchen, driver, published, status):
    order = await kitchen.place_assigned(driver)
    await kitchen.set_status(order["id"], status)
    said = len(await published())

    assert (await driver.set_status(order["id"], "delivered")).status == 200

    is_lifted = status in {"new", "preparing", "ready"}
    assert (await kitchen.get_order(order))["status"] == ("delivered" if is_lifted else status)
    names = [name for name, _ in (await published())[said:]]
    paid = ["order.payment_changed", "order.paid"] if status != "cancelled" else []
    assert names == [*paid, *(["order.status_changed"] if is_lifted else []), "order.delivered"]


async def test_order_status_and_delivery_status_are_independent(kitchen, driver):
    order = await kitchen.place_assigned(driver)

    assert (await kitchen.set_status(order["id"], "completed"))["delivery_status"] == "assigned"
    assert (await kitchen.override_status(order, "failed"))["status"] == "completed"
    await kitchen.set_status(order["id"], "cancelled")
    # A cancelled order stays assigned, but its customer is hidden from the driver.
    [shown] = (await driver.get("/deliveries"))["data"]
    assert (shown["status"], shown["customer"]) == ("cancelled", None)


async def test_concurrent_changes_leave_one_consistent_history(kitchen, driver):
    other = await kitchen.add_driver("Eva", "+351961234568")
    order = await kitchen.place_assigned(driver)

    replies = await asyncio.gather(
        *(kitchen.assign(order, who) for who in (driver.id, other.id) * 5),
        *(kitchen.override_status(order, status) for status in ALL * 2),
        *(driver.set_status(order["id"], status) for status in ALL * 2),
        *(other.claim(order["id"]) for _ in range(5)),
    )

    assert {reply.status for reply in replies} <= {200, 404, 409, 422}
    standing = await sql.fetch(
        "SELECT driver_id, ended_at FROM drivers_assignment WHERE order_id = $1 AND released_at IS NULL", order["id"]
    )
    shown = await kitchen.get_order(order)
    assert len(standing) == (shown["driver"] is not None)
    if standing:
        assert shown["driver"]["id"] == standing[0]["driver_id"]
        assert (standing[0]["ended_at"] is not None) == (shown["delivery_status"] in {"delivered", "failed"})
    changes = await sql.fetch(
        """SELECT from_value, to_value FROM core_order_change
           WHERE order_id = $1 AND field = 'delivery_status' ORDER BY id""",
        order["id"],
    )
    assert [change["from_value"] for change in changes[1:]] == [change["to_value"] for change in changes[:-1]]
