import asyncio

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_deliverect.services import order_links, order_worker

from tests.plugins.deliverect.fake_deliverect import ordered


async def set_status(store, order, order_id, status):
    assert (await store.set_status(order_id, status)).status == 200
    # What the handler of events does.
    await order_links.wake_orders([(store.owner.id, order_id)])
    return await store.work(order)


async def test_what_the_guest_wrote_is_kept_only_until_the_order_is_placed(store, soup_order):
    await store.post(soup_order)
    before = await sql.fetch_value("SELECT document FROM deliverect_order WHERE store_id = $1", store.id)

    await store.work(soup_order)

    assert "Ana Silva" in before
    assert await sql.fetch_value("SELECT document FROM deliverect_order WHERE store_id = $1", store.id) is None


async def test_unknown_item_fails_with_its_reason(store):
    order = store.add_order(ordered("PIZZA", name="Pizza"))

    found = await store.receive(order)

    assert (found["state"], found["status"], await store.count_orders()) == ("rejected", 120, 0)
    assert found["reason"] == "The menu has no item Pizza with the reference PIZZA."
    assert store.fake.updates[-1][1]["reason"] == found["reason"]


async def test_statuses_go_out_in_order(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]

    for status in ("preparing", "ready", "completed"):
        await set_status(store, soup_order, order_id, status)

    assert store.fake.list_statuses(soup_order["_id"]) == [20, 50, 70, 90]


async def test_delivery_under_way_has_a_status_of_its_own(store, soup_order):
    address = {"street": "Rua A", "streetNumber": "1", "postalCode": "1000-001", "city": "Lisboa"}
    soup_order |= {"orderType": 2, "deliveryAddress": address}
    placed = await store.find_order(await store.receive(soup_order))
    await sql.execute("UPDATE core_order SET delivery_status = 'out_for_delivery' WHERE id = $1", placed["id"])
    await order_links.wake_orders([(store.owner.id, placed["id"])])

    await store.work(soup_order)

    assert (placed["type"], placed["address"]) == ("delivery", "Rua A 1, 1000-001 Lisboa")
    assert store.fake.list_statuses(soup_order["_id"]) == [20, 80]


async def test_order_cancelled_here_is_cancelled_there(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]

    await set_status(store, soup_order, order_id, "cancelled")

    assert store.fake.list_statuses(soup_order["_id"]) == [20, 110]


async def test_order_cancelled_by_the_channel_is_cancelled_here(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]

    found = await store.receive({**soup_order, "status": 100})

    assert (await store.get(f"/orders/{order_id}"))["status"] == "cancelled"
    assert found["reason"] == "The channel has cancelled it."
    assert store.fake.list_statuses(soup_order["_id"]) == [20, 110]


async def test_cancellation_that_arrives_first_is_not_undone_by_the_order(store, soup_order):
    await store.receive({**soup_order, "status": 100})

    found = await store.receive(soup_order)

    assert (found["state"], await store.count_orders()) == ("ignored", 0)
    assert store.fake.list_statuses(soup_order["_id"]) == [110]


async def test_order_that_is_served_is_not_cancelled(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]
    await set_status(store, soup_order, order_id, "completed")

    await store.receive({**soup_order, "status": 100})

    assert (await store.get(f"/orders/{order_id}"))["status"] == "completed"
    assert store.fake.list_statuses(soup_order["_id"]) == [20, 90]


@pytest.mark.parametrize("failures", [[429], [500], [503, 500], [401]])
async def test_status_is_sent_again_after_a_failure(store, soup_order, failures):
    store.fake.failures = [*failures]

    failed = await store.receive(soup_order)
    for _ in failures:
        last = await store.work(soup_order)

    assert (failed["state"], str(failures[0]) in failed["failure"]) == ("placed", True)
    assert (last["failure"], store.fake.list_statuses(soup_order["_id"])) == (None, [20])
    assert await store.count_orders() == 1


async def test_status_that_deliverect_refuses_is_not_sent_for_ever(store, soup_order):
    store.fake.failures = [422]

    found = await store.receive(soup_order)

    assert found["reason"] == "Deliverect does not take the status 20: Deliverect refused the request: 422."
    assert await sql.fetch_value("SELECT next_attempt_at FROM deliverect_order WHERE id = $1", found["id"]) is None


async def test_workers_that_hold_the_same_order_place_it_once(store, soup_order):
    await store.post(soup_order)

    async def work_with_lost_lease():
        await sql.execute("UPDATE deliverect_order SET leased_until = NULL WHERE store_id = $1", store.id)
        await process_queue(order_worker.QUEUE)

    store.fake.delay = 0.05
    await asyncio.gather(*[work_with_lost_lease() for _ in range(3)])
    store.fake.delay = 0.0
    await sql.execute("UPDATE deliverect_order SET leased_until = NULL WHERE store_id = $1", store.id)
    found = await store.work(soup_order)

    assert (found["state"], await store.count_orders()) == ("placed", 1)
    assert await sql.fetch_value("SELECT count(*) FROM payments_payment WHERE store_id = $1", store.id) == 1


async def test_worker_that_died_before_it_told_leaves_the_rest_to_the_next(store, soup_order):
    store.fake.failures = [500]
    await store.receive(soup_order)
    # As a worker leaves it that was killed after the order was placed.
    await sql.execute(
        "UPDATE deliverect_order SET leased_until = now() - interval '1 s', next_attempt_at = now() - interval '1 s' "
        "WHERE store_id = $1",
        store.id,
    )

    found = await store.work(soup_order)

    assert (found["status"], await store.count_orders()) == (20, 1)
