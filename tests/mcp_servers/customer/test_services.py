"""Orders of a customer."""


async def test_orders_are_listed_latest_first(agent, customer, order_of):
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


async def test_orders_of_others_are_not_found(agent, agents, customer, owner, order_of, new_store):
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
