import asyncio

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_hubrise import client
from comanda_hubrise.services import order_worker

from tests.plugins.hubrise.fake_hubrise import ordered


@pytest.mark.parametrize("status", [429, 500, 502, 401])
async def test_order_waits_until_hubrise_answers(store, soup_order, status):
    store.fake.failures = [status]

    waiting = await store.receive(soup_order)
    placed = await store.work(soup_order)

    assert (waiting["state"], waiting["order_id"]) == ("waiting", None)
    assert str(status) in waiting["failure"]
    assert (placed["state"], placed["failure"]) == ("placed", None)
    assert await store.count_orders() == 1


async def test_slow_answer_is_a_failure_that_is_tried_again(store, soup_order, monkeypatch):
    monkeypatch.setattr(client, "TIMEOUT_SECONDS", 0.1)
    store.fake.delay = 0.3

    waiting = await store.receive(soup_order)
    store.fake.delay = 0.0
    placed = await store.work(soup_order)

    assert (waiting["state"], waiting["failure"]) == ("waiting", "HubRise did not answer in time.")
    assert placed["state"] == "placed"


async def test_order_that_hubrise_does_not_have_is_ignored(store, soup_order):
    del store.location.orders[soup_order["id"]]

    found = await store.receive(soup_order)

    assert (found["state"], found["reason"]) == ("ignored", "HubRise refused the request: 404.")


async def test_workers_that_hold_the_same_order_place_it_once(store, soup_order):
    await store.call_back(soup_order)
    await store.call_back(soup_order)

    async def work_with_lost_lease():
        await sql.execute("UPDATE hubrise_order SET leased_until = NULL WHERE store_id = $1", store.id)
        await process_queue(order_worker.QUEUE)

    store.fake.delay = 0.05
    await asyncio.gather(work_with_lost_lease(), work_with_lost_lease(), work_with_lost_lease())
    store.fake.delay = 0.0
    await sql.execute("UPDATE hubrise_order SET leased_until = NULL WHERE store_id = $1", store.id)
    found = await store.work(soup_order)

    assert found["state"] == "placed"
    assert await store.count_orders() == 1
    assert await sql.fetch_value("SELECT count(*) FROM payments_payment WHERE store_id = $1", store.id) == 1


async def test_what_happens_while_an_order_is_held_is_looked_at_afterwards(store, soup_order):
    async def report_again():
        store.fake.before_answer = None
        await store.call_back(soup_order, "update")

    def cancel(method, path):
        if method == "GET" and path.endswith(soup_order["id"]):
            soup_order["status"] = "cancelled"
            store.tasks = [asyncio.ensure_future(report_again())]

    store.fake.before_answer = cancel
    await store.call_back(soup_order)
    await process_queue(order_worker.QUEUE)
    await asyncio.gather(*store.tasks)

    found = await store.work(soup_order)

    assert (await store.get(f"/orders/{found['order_id']}"))["status"] == "cancelled"


async def test_given_up_order_is_tried_again_once_it_is_reported(store, soup_order):
    store.fake.failures = [500] * 20
    await store.receive(soup_order)
    for _ in range(11):
        await store.work(soup_order)
    assert await sql.fetch_value("SELECT dead_at FROM hubrise_order WHERE store_id = $1", store.id) is not None
    store.fake.failures = []

    found = await store.receive(soup_order)

    assert found["state"] == "placed"


async def test_nothing_is_written_of_an_order_that_does_not_add_up(store):
    order = store.add_order(ordered(store.soup_ref), total="4.00 EUR")

    found = await store.receive(order)

    assert found["reason"] == "The order costs 4.00 EUR at HubRise and 5.00 EUR here."
    assert (found["state"], await store.count_orders()) == ("rejected", 0)
