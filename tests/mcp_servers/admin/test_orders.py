"""What an owner's agent does with orders: finding them by state, day and words, and moving them on."""

from datetime import UTC, datetime

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line


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


@pytest.fixture
def found(agent):
    """List the ids of the orders that arguments find."""

    async def search(**arguments):
        page = await agent.call("list_orders", arguments)
        assert page["total"] == len(page["data"])
        return [order["id"] for order in page["data"]]

    return search


async def test_without_a_filter_it_is_the_list_of_rest(agent, store):
    for _ in range(2):
        await store.order(line(await store.item()))

    page = await agent.call("list_orders")

    assert page == {**(await store.get("/orders")).document, "from": None, "to": None}
    assert page["total"] == 2


async def test_days_are_those_of_the_stores_time_zone(store, order_at, found):
    await store.send("PUT", "/settings", {"timezone": "Asia/Tokyo"})
    evening = await order_at("2026-03-01T14:59:59+00:00")
    midnight = await order_at("2026-03-01T15:00:00+00:00")
    next_midnight = await order_at("2026-03-02T15:00:00+00:00")

    assert await found(**{"from": "2026-03-02", "to": "2026-03-02"}) == [midnight]
    assert await found(**{"from": "2026-03-01", "to": "2026-03-02"}) == [midnight, evening]
    assert await found(**{"from": "2026-03-02", "to": "2026-03-03"}) == [next_midnight, midnight]
    assert await found(to="2026-03-01") == [evening]


async def test_a_range_is_completed_and_told(agent, store, clock):
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


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"from": "2026-03-02", "to": "2026-03-01"}, "from"),
        ({"from": "2025-03-01", "to": "2026-03-02"}, "to"),
        ({"from": "yesterday"}, "from"),
        ({"to": 20260301}, "to"),
        ({"status": "eaten"}, "status"),
        ({"page": 0}, "page"),
        ({"search": "x" * 101}, "search"),
    ],
)
async def test_a_filter_that_is_wrong_is_refused_by_its_name(agent, store, arguments, field):
    refused = await agent.refused("list_orders", arguments)

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])


async def test_a_search_finds_names_without_accents_and_takes_wildcards_literally(store, found):
    item = await store.item()
    joao = (await store.order(line(item), customer_name="João Guimarães"))["id"]
    percent = (await store.order(line(item), customer_name="100%_sure\\"))["id"]
    await store.order(line(item))

    assert await found(search="joao GUIM") == [joao]
    assert await found(search="JOÃO") == [joao]
    assert await found(search="%") == [percent]
    assert await found(search="_") == [percent]
    assert await found(search="\\") == [percent]
    assert await found(search="nobody") == []


async def test_a_search_finds_phones_however_they_are_written_and_numbers(store, found):
    item = await store.item()
    first = await store.order(line(item), phone="+351 21 555-0140")
    second = await store.order(line(item), phone="999")

    assert await found(search="555 01 40") == [first["id"]]
    assert await found(search="0351215550140") == [first["id"]]
    assert await found(search=f"#{second['number']}") == [second["id"]]
    assert await found(search=str(second["id"])) == [second["id"]]
    assert await found(search="999999999999999999999999") == []


async def test_filters_narrow_each_other(store, found):
    item = await store.item()
    waiting = await store.order(line(item), customer_name="Ada")
    ready = await store.order(line(item), customer_name="Ada")
    await store.set_status(ready["id"], "ready")

    assert await found(status="ready") == [ready["id"]]
    assert await found(status="new", search="ada") == [waiting["id"]]
    assert await found(status="cancelled", search="ada") == []


async def test_another_owners_orders_are_in_no_search(agents, other_owner, store):
    await store.order(line(await store.item()), customer_name="Ada")
    await other_owner.store()

    page = await agents.admin(other_owner.auth).call("list_orders", {"search": "Ada"})

    assert (page["data"], page["total"]) == ([], 0)


async def test_an_order_is_shown_and_moved_on_once(agent, store, published):
    order = await store.order(line(await store.item()))

    assert (
        await agent.call("get_order", {"order_id": order["id"]}) == (await store.get(f"/orders/{order['id']}")).document
    )
    for _ in range(2):
        moved = await agent.call("update_order_status", {"order_id": order["id"], "status": "ready", "note": "Hot"})
        assert moved["status"] == "ready"
    changes = [data for name, data in await published() if name == "order.status_changed"]
    assert [(data["from"], data["to"]) for data in changes] == [("new", "ready")]


async def test_a_status_that_does_not_exist_moves_nothing(agent, store):
    order = await store.order(line(await store.item()))

    refused = await agent.refused("update_order_status", {"order_id": order["id"], "status": "eaten"})

    assert list(refused["errors"]) == ["status"]
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "new"
