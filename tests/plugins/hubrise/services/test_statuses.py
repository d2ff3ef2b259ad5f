import pytest
from comanda.platform.db import sql
from comanda_hubrise.services import order_links


async def place(store, order):
    return (await store.receive(order))["order_id"]


async def set_status(store, order, order_id, status):
    reply = await store.set_status(order_id, status)
    assert reply.status == 200
    await wake(store, order_id)
    return await store.work(order)


async def wake(store, order_id):
    """Do what the handler of events does."""
    await order_links.wake_orders([(store.owner.id, order_id)])


async def test_statuses_go_out_in_order(store, soup_order):
    order_id = await place(store, soup_order)

    for status in ("preparing", "ready", "completed"):
        await set_status(store, soup_order, order_id, status)

    sent = store.location.list_statuses(soup_order["id"])
    assert sent == ["accepted", "in_preparation", "awaiting_collection", "completed"]


async def test_status_that_goes_back_is_sent(store, soup_order):
    order_id = await place(store, soup_order)
    await set_status(store, soup_order, order_id, "ready")

    await set_status(store, soup_order, order_id, "preparing")

    assert store.location.list_statuses(soup_order["id"])[-2:] == ["awaiting_collection", "in_preparation"]


async def test_only_the_last_of_several_changes_is_sent(store, soup_order):
    order_id = await place(store, soup_order)
    await store.set_status(order_id, "preparing")
    await store.set_status(order_id, "ready")
    await store.set_status(order_id, "preparing")

    await set_status(store, soup_order, order_id, "ready")

    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "awaiting_collection"]


async def test_own_status_that_comes_back_changes_nothing(store, soup_order):
    order_id = await place(store, soup_order)
    await set_status(store, soup_order, order_id, "preparing")

    await store.receive(soup_order, "update")

    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "in_preparation"]
    assert (await store.get(f"/orders/{order_id}"))["status"] == "preparing"


async def test_order_cancelled_here_is_cancelled_there(store, soup_order):
    order_id = await place(store, soup_order)

    await set_status(store, soup_order, order_id, "cancelled")

    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "cancelled"]


async def test_order_cancelled_there_is_cancelled_here(store, soup_order):
    order_id = await place(store, soup_order)
    soup_order["status"] = "cancelled"

    found = await store.receive(soup_order, "update")

    assert (await store.get(f"/orders/{order_id}"))["status"] == "cancelled"
    assert found["reason"] == "HubRise has it as cancelled."
    assert store.location.list_statuses(soup_order["id"]) == ["accepted"]


async def test_order_that_is_served_is_not_cancelled_here(store, soup_order):
    order_id = await place(store, soup_order)
    await set_status(store, soup_order, order_id, "completed")
    soup_order["status"] = "cancelled"

    await store.receive(soup_order, "update")

    assert (await store.get(f"/orders/{order_id}"))["status"] == "completed"
    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "completed"]


async def test_cancellation_there_wins_over_a_status_that_is_on_its_way(store, soup_order):
    order_id = await place(store, soup_order)
    await store.set_status(order_id, "preparing")
    soup_order["status"] = "cancelled"
    await wake(store, order_id)

    await store.work(soup_order)

    assert store.location.list_statuses(soup_order["id"]) == ["accepted"]
    assert (await store.get(f"/orders/{order_id}"))["status"] == "cancelled"


async def test_total_that_changes_there_is_shown_to_the_owner(store, soup_order):
    await place(store, soup_order)
    soup_order["total"] = "3.00 EUR"

    found = await store.receive(soup_order, "update")

    assert found["reason"] == "Changed at HubRise after it was placed: the total is 3.00 EUR there."
    assert found["state"] == "placed"


@pytest.mark.parametrize("failures", [[429], [500], [503, 500], [401], [200]])
async def test_status_is_sent_again_after_a_failure(store, soup_order, failures):
    order_id = await place(store, soup_order)
    await store.set_status(order_id, "preparing")
    await wake(store, order_id)
    # The order is read first.
    store.fake.failures = [*failures] if failures != [200] else []
    failed = await store.work(soup_order) if store.fake.failures else None
    for _ in failures[1:]:
        failed = await store.work(soup_order)

    await store.work(soup_order)

    assert failed is None or failed["failure"]
    assert store.location.list_statuses(soup_order["id"]) == ["accepted", "in_preparation"]
    assert (await store.find(soup_order))["failure"] is None


async def test_status_that_hubrise_refuses_is_not_sent_for_ever(store, soup_order):
    order_id = await place(store, soup_order)
    await store.set_status(order_id, "preparing")
    await wake(store, order_id)
    store.fake.before_answer = lambda method, _path: store.fake.failures.append(422) if method == "GET" else None

    found = await store.work(soup_order)

    store.fake.before_answer = None
    assert found["reason"].startswith("HubRise does not take the status in_preparation")
    assert await sql.fetch_value("SELECT next_attempt_at FROM hubrise_order WHERE id = $1", found["id"]) is None
