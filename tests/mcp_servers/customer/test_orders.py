"""What a customer's agent sees: the customer's own orders in the token's store, and nothing else."""

import pytest
from comanda.db import sql


@pytest.fixture
async def customer(agents, owner, store):
    return await agents.new_customer(owner, store.id)


@pytest.fixture
async def agent(agents, owner, store, customer):
    """Give the agent of a customer of the store."""
    return await agents.customer(owner, store.id, customer.id)


@pytest.fixture
def order_of(store):
    """Place an order of a customer's in the test's store or another."""

    async def place(customer_id, where=store, **fields):
        item = await where.item("Soup")
        order = await where.order({"item_id": item["id"], "quantity": 2}, **fields)
        await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer_id)
        return order

    return place


async def test_orders_are_listed_with_what_was_ordered_the_latest_first(agent, customer, order_of):
    first, second, third = [await order_of(customer.id) for _ in range(3)]

    orders = (await agent.call("my_orders", {"limit": 2}))["orders"]

    assert [order["id"] for order in orders] == [third["id"], second["id"]]
    assert orders[1] == {
        **{name: second[name] for name in orders[1] if name not in {"items"}},
        "items": [{"name": "Soup", "quantity": 2}],
    }
    assert (orders[0]["total"], orders[0]["currency"], orders[0]["is_paid"]) == (10.0, "EUR", False)
    assert len((await agent.call("my_orders"))["orders"]) == 3
    assert first["id"] not in [order["id"] for order in orders]


@pytest.mark.parametrize("limit", [0, 51, -1, "many", 1.5])
async def test_a_limit_is_1_to_50(agent, limit):
    assert list((await agent.refused("my_orders", {"limit": limit}))["errors"]) == ["limit"]


async def test_an_order_is_shown_without_what_the_store_keeps_for_itself(agent, customer, order_of):
    order = await order_of(customer.id, note="No salt", client_uuid="device-1", source="app")

    shown = await agent.call("order_detail", {"order_id": order["id"]})

    hidden = {"customer_id", "client_uuid", "source", "restaurant_id"}
    assert shown == {name: value for name, value in order.items() if name not in hidden}
    assert (shown["note"], shown["items"][0]["quantity"], shown["driver"]) == ("No salt", 2, None)


async def test_an_order_is_tracked_by_its_id_or_its_token(agent, customer, order_of):
    order = await order_of(customer.id)

    by_id = await agent.call("track_order", {"order_id": order["id"]})
    by_token = await agent.call("track_order", {"track_token": order["track_token"]})

    assert by_id == by_token
    assert (by_id["id"], by_id["status"], by_id["total"]) == (order["id"], "new", 10.0)


@pytest.mark.parametrize("arguments", [{}, {"order_id": 1, "track_token": "x"}])
async def test_an_order_to_track_is_named_in_one_way(agent, arguments):
    assert list((await agent.refused("track_order", arguments))["errors"]) == ["order_id"]


async def test_orders_of_others_are_not_there(agent, agents, customer, owner, order_of, new_store):
    elsewhere = await new_store()
    neighbour = await agents.new_customer(owner, elsewhere.id)
    strange = [
        await order_of(neighbour.id),
        await order_of(None),
        # The same customer's number in another store of the owner's.
        await order_of(customer.id, elsewhere),
    ]

    assert await agent.call("my_orders") == {"orders": []}
    for order in strange:
        for tool, arguments in (
            ("order_detail", {"order_id": order["id"]}),
            ("track_order", {"order_id": order["id"]}),
            ("track_order", {"track_token": order["track_token"]}),
        ):
            assert (await agent.refused(tool, arguments))["code"] == "not_found"


async def test_an_owners_and_a_storefronts_token_are_turned_away(agents, owner, store):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    guest = await agents.storefront(owner, store.id)

    assert (await agents.public("/mcp/customer").post(message, **owner.auth)).status_code == 401
    assert (await agents.public("/mcp/customer").post(message, **guest._headers)).status_code == 401
    assert (await agents.public("/mcp/customer").post(message)).status_code == 401
