"""Tools for orders."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


@pytest.fixture
def order_at(store):
    """Place an order, and say that it was placed at another time."""

    async def place(moment, **fields):
        item = await store.item()
        order = await store.order(line(item), **fields)
        await sql.execute(
            "UPDATE core_order SET created_at = $2 WHERE id = $1", order["id"], datetime.fromisoformat(moment)
        )
        return order["id"]

    return place


async def test_unfiltered_list_equals_rest(agent, store):
    for _ in range(2):
        await store.order(line(await store.item()))

    page = await agent.call("list_orders")

    assert page == {**(await store.get("/orders")).document, "from": None, "to": None}
    assert page["total"] == 2


async def test_days_are_in_the_stores_time_zone(store, order_at, found):
    await store.send("PUT", "/settings", {"timezone": "Asia/Tokyo"})
    evening = await order_at("2026-03-01T14:59:59+00:00")
    midnight = await order_at("2026-03-01T15:00:00+00:00")
    next_midnight = await order_at("2026-03-02T15:00:00+00:00")

    assert await found(**{"from": "2026-03-02", "to": "2026-03-02"}) == [midnight]
    assert await found(**{"from": "2026-03-01", "to": "2026-03-02"}) == [midnight, evening]
    assert await found(**{"from": "2026-03-02", "to": "2026-03-03"}) == [next_midnight, midnight]
    assert await found(to="2026-03-01") == [evening]


async def test_range_is_completed_and_returned(agent, store, clock):
    clock.set(datetime(2026, 5, 10, 12, tzinfo=UTC))

    async def days(**arguments):
        page = await agent.call("list_orders", arguments)
        return page["from"], page["to"]

    assert await days(**{"from": "2026-05-01"}) == ("2026-05-01", "2026-05-10")
    assert await days(**{"from": "2020-01-01"}) == ("2020-01-01", "2020-12-31")
    assert await days(**{"from": "2026-06-01"}) == ("2026-06-01", "2026-06-01")
    assert await days(to="2026-05-02") == ("2025-05-02", "2026-05-02")
    assert await days(search="x") == ("2025-05-10", "2026-05-10")
    assert await days(**{"from": "2025-05-02", "to": "2026-05-02"}) == ("2025-05-02", "2026-05-02")


async def test_order_is_returned_and_updated_once(agent, store, published):
    order = await store.order(line(await store.item()))

    assert (
        await agent.call("get_order", {"order_id": order["id"]}) == (await store.get(f"/orders/{order['id']}")).document
    )
    for _ in range(2):
        moved = await agent.call("update_order_status", {"order_id": order["id"], "status": "ready", "note": "Hot"})
        assert moved["status"] == "ready"
    changes = [data for name, data in await published() if name == "order.status_changed"]
    assert [(data["from"], data["to"]) for data in changes] == [("new", "ready")]


async def test_orders_of_another_owners_store_are_not_found(agent, store, other_owner):
    refused = await agent.refused("list_orders", {"restaurant_id": await other_owner.store()})

    assert refused["code"] == "not_found"


async def test_unknown_status_is_refused(agent, store):
    order = await store.order(line(await store.item()))

    refused = await agent.refused("update_order_status", {"order_id": order["id"], "status": "eaten"})

    assert list(refused["errors"]) == ["status"]
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "new"
