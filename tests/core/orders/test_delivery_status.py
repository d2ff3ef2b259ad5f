"""Delivery status of orders."""

import pytest
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.orders.status import DeliveryStatus, Status
from comanda.devkit.testing.stores import line
from comanda.orders import delivery_status
from comanda.platform.db import sql


@pytest.fixture
async def delivery(store):
    return await store.order(line(await store.item("Soup", 5)), type="delivery", address="Rua das Flores 9")


async def move(owner, order, to, **options):
    async with sql.transaction():
        locked = await delivery_status.lock_delivery(owner.id, order["id"], order["restaurant_id"])
        return await delivery_status.change_delivery_status(locked, DeliveryStatus(to), actor="driver:5", **options)


async def changes(order):
    rows = await sql.fetch(
        "SELECT field, from_value, to_value, actor, note FROM core_order_change WHERE order_id = $1 ORDER BY id",
        order["id"],
    )
    return [tuple(row) for row in rows]


async def test_change_is_recorded_in_history_and_timeline(store, owner, delivery, published):
    await move(owner, delivery, "picked_up", note="two bags")

    shown = await store.get(f"/orders/{delivery['id']}")
    assert shown["delivery_status"] == "picked_up"
    assert "picked_up_at" in shown["timeline"]
    assert await changes(delivery) == [("delivery_status", "pending", "picked_up", "driver:5", "two bags")]
    assert [name for name, _ in await published() if name != "menu.updated"] == ["order.created"]


async def test_the_same_state_again_changes_nothing(owner, delivery):
    await move(owner, delivery, "pending")

    assert await changes(delivery) == []


async def test_status_reached_again_is_recorded_again(owner, delivery):
    await move(owner, delivery, "assigned")

    await move(owner, delivery, "assigned", again=True)

    assert [change[1:3] for change in await changes(delivery)] == [("pending", "assigned"), ("assigned", "assigned")]


async def test_delivered_order_leaves_the_kitchen(store, owner, delivery, published):
    after = await move(owner, delivery, "delivered")

    shown = await store.get(f"/orders/{delivery['id']}")
    assert (after.status, shown["status"], shown["delivery_status"]) == (Status.DELIVERED, "delivered", "delivered")
    assert (await published())[-1][0] == "order.status_changed"


async def test_failed_delivery_keeps_the_kitchen_status(store, owner, delivery):
    await move(owner, delivery, "failed")

    assert (await store.get(f"/orders/{delivery['id']}"))["status"] == "new"


async def test_completed_order_stays_completed(store, owner, delivery):
    await store.set_status(delivery["id"], "completed")

    await move(owner, delivery, "delivered")

    assert (await store.get(f"/orders/{delivery['id']}"))["status"] == "completed"


async def test_takeaway_order_has_no_delivery_status(store, owner):
    order = await store.order(line(await store.item("Soup", 5)))

    with pytest.raises(ValidationFailed) as refused:
        await move(owner, order, "picked_up")

    assert list(refused.value.errors) == ["delivery_status"]
    assert await changes(order) == []


async def test_order_of_another_owner_is_not_found(other_owner, delivery):
    with pytest.raises(NotFound):
        await move(other_owner, delivery, "picked_up")
