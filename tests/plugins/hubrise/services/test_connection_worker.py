import pytest
from comanda.basics import clock
from comanda.platform.db import sql

from tests.plugins.hubrise.fake_hubrise import ordered


async def test_check_registers_the_callback_and_finds_lost_orders(store, soup_order):
    await store.check()

    found = await store.work(soup_order)

    assert store.location.callback["events"] == {"order": ["create", "update"]}
    assert store.location.callback["url"].endswith(store.callback_path)
    assert found["state"] == "placed"


async def test_check_finds_lost_cancellations(store, soup_order):
    order_id = (await store.receive(soup_order))["order_id"]
    soup_order["status"] = "cancelled"

    await store.check()
    await store.work(soup_order)

    assert (await store.get(f"/orders/{order_id}"))["status"] == "cancelled"


async def test_check_leaves_known_orders_alone(store):
    rejected = store.add_order(ordered("PIZZA"))
    await store.receive(rejected)
    rejected["status"] = "new"
    await store.check()

    await store.work(rejected)

    assert store.location.list_statuses(rejected["id"]) == ["rejected"]


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_failing_connection_says_so_and_recovers(store, status):
    store.fake.failures = [status]
    await store.check()
    failing = await store.get("/hubrise")

    await store.check()

    assert str(status) in failing["failure"]
    assert (await store.get("/hubrise"))["failure"] is None


async def test_lists_are_read_every_five_minutes_only(store):
    await store.check()
    before = len(store.fake.requests)

    await store.send_menu()
    await store.send_menu()

    assert len(store.fake.requests) == before
    due_at = await sql.fetch_value("SELECT next_attempt_at FROM hubrise_connection WHERE store_id = $1", store.id)
    assert 280 < (due_at - clock.now()).total_seconds() <= 300


async def test_rejected_order_that_is_cancelled_is_looked_at_once(store):
    rejected = store.add_order(ordered("PIZZA"))
    await store.receive(rejected)
    rejected["status"] = "cancelled"
    await store.check()
    await store.work(rejected)
    before = len(store.fake.requests)

    await store.check()
    await store.work(rejected)

    read = [path for method, path in store.fake.requests[before:] if path.endswith(rejected["id"])]
    assert read == []
    assert store.location.list_statuses(rejected["id"]) == ["rejected"]
