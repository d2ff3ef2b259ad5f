"""From an event to HubRise."""

from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_hubrise.services import order_worker


async def test_status_here_reaches_hubrise(store, soup_order, dispatch):
    order_id = (await store.receive(soup_order))["order_id"]

    await store.set_status(order_id, "preparing")
    await dispatch()
    await process_queue(order_worker.QUEUE)

    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "in_preparation"]


async def test_other_orders_wake_nothing(store, dispatch):
    order = await store.order({"item_id": store.soup["id"]})

    await store.set_status(order["id"], "preparing")
    await dispatch()

    assert await sql.fetch_value("SELECT count(*) FROM hubrise_order WHERE store_id = $1", store.id) == 0


async def test_orders_and_their_cancellations_may_change_the_menu(store, dispatch):
    await store.send("PUT", "/hubrise", {"catalog_id": "cat1", "sends_sold_out": True})
    await store.check()
    before = await count_wakes(store)

    order = await store.order({"item_id": store.soup["id"]})
    await dispatch()
    after_order = await count_wakes(store)
    await store.set_status(order["id"], "preparing")
    await dispatch()
    after_status = await count_wakes(store)
    await store.set_status(order["id"], "cancelled")
    await dispatch()

    assert after_order > before
    assert after_status == after_order
    assert await count_wakes(store) > after_status


async def count_wakes(store):
    return await sql.fetch_value("SELECT wakes FROM hubrise_connection WHERE store_id = $1", store.id)
