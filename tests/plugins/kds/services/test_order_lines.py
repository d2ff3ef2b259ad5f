"""The state of lines without rows, and lines that the kitchen does not make."""

import pytest


async def test_new_order_is_queued(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread)

    assert await cook.list_states() == {order.id: ["queued", "queued"]}
    assert await kitchen.list_kds_statuses(order) == ["queued", "queued"]


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("new", "queued"),
        ("preparing", "preparing"),
        ("ready", "ready"),
        ("delivered", "served"),
        ("completed", "served"),
    ],
)
async def test_state_of_untouched_lines_follows_the_order_status(kitchen, cook, status, state):
    order = await kitchen.place_order(kitchen.soup, kitchen.bread)

    await kitchen.set_status(order.id, status)

    assert await kitchen.list_kds_statuses(order) == [state, state]
    assert await cook.list_states() == ({} if state == "served" else {order.id: [state, state]})


async def test_store_without_a_kitchen_has_no_kitchen_fields(client, owner, open_store):
    shop = await open_store("retail")
    shirt = await shop.item("Shirt", 20)
    order = await shop.order({"item_id": shirt["id"]}, type="pickup_slot")

    record = (await shop.get(f"/orders/{order['id']}")).document

    assert [(each["kds_status"], each["station_id"]) for each in record["items"]] == [(None, None)]
    assert (await shop.send("GET", "/stations")).status == 404


async def test_lines_routed_out_of_the_kitchen_are_ignored(kitchen, cook):
    await kitchen.set_route(kitchen.wine, None)
    order = await kitchen.place_order(kitchen.soup, kitchen.wine, type="on-table", table_number="1")
    assert await kitchen.list_kds_statuses(order) == ["queued", None]
    assert await cook.list_states() == {order.id: ["queued"]}

    assert (await cook.bump(order.lines[1])).status == 404
    for _ in range(3):
        await cook.bump(order.lines[0])

    assert await kitchen.get_status(order) == "delivered"
    assert await kitchen.list_kds_statuses(order) == ["served", None]
