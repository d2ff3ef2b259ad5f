"""What agents do for customers, and for owners with theirs."""

import pytest
from comanda.devkit.testing.stores import line


@pytest.fixture
def agent(ada, mcp):
    return mcp("/mcp/customer", {"Authorization": f"Bearer {ada.token}"})


async def test_a_profile_is_the_one_of_the_api(agent, ada):
    assert await agent.call("my_profile") == await ada.get("/me")


async def test_a_past_order_becomes_a_draft_at_todays_prices(agent, ada, store):
    extras = [{"name": "More", "max_count": 3, "allows_repeats": True, "extras": [{"name": "Garlic", "price": 1}]}]
    soup = await store.item("Soup", price=10, extra_groups=extras, variations=[{"name": "Large", "price": 14}])
    cake, pie = await store.item("Cake", price=4), await store.item("Pie", price=3)
    garlic, large = soup["extra_groups"][0]["extras"][0]["id"], soup["variations"][0]["id"]
    lines = [line(soup, 2, variation=large, extras=[garlic, garlic], note="Hot"), line(cake, 3), line(pie)]
    order = await ada.send("POST", "/orders", {"type": "delivery", "address": "Rossio 1", "items": lines})
    assert order.status == 201, order
    await store.send("PATCH", f"/menu/items/{cake['id']}/sold-out", {"is_sold_out": True})
    await store.send("DELETE", f"/menu/items/{pie['id']}")

    made = await agent.call("reorder", {"order_id": order["id"]})

    assert made["items"] == [
        {
            "item_id": soup["id"], "name": "Soup", "quantity": 2, "variation": large, "variation_name": "Large",
            "extras": [garlic, garlic], "extra_names": ["Garlic"], "note": "Hot", "unit_price": 16, "line_total": 32,
        }
    ]  # fmt: skip
    assert (made["type"], made["total"], made["currency"]) == ("delivery", 32, "EUR")
    assert [(one["path"], one["code"]) for one in made["messages"]] == [
        ("items.1", "left_out"),
        ("items.2", "left_out"),
    ]
    assert "Cake is sold out." in made["messages"][0]["text"]
    assert (await ada.get("/orders"))["total"] == 1
    again = {key: made["items"][0][key] for key in ("item_id", "quantity", "variation", "extras", "note")}
    assert (await ada.send("POST", "/orders", {"type": "takeaway", "items": [again]}))["total"] == 32


async def test_an_order_of_which_nothing_is_left_makes_an_empty_draft(agent, ada, store, soup):
    order = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True})

    made = await agent.call("reorder", {"order_id": order["id"]})

    assert (made["items"], made["total"], len(made["messages"])) == ([], 0, 1)


async def test_orders_of_others_cannot_be_had_again(agent, store, soup):
    theirs = await store.order(line(soup))

    assert (await agent.refused("reorder", {"order_id": theirs["id"]}))["code"] == "not_found"


async def test_an_owners_agent_finds_customers(mcp, owner, ada, store):
    agent = mcp("/mcp", owner.auth)

    listed = await agent.call("list_customers", {"search": "LOVELACE"})
    shown = await agent.call("get_customer", {"customer_id": ada.id})

    assert [one["id"] for one in listed["data"]] == [ada.id]
    assert shown == (await store.get(f"/customers/{ada.id}")).document
    await owner.store()
    refused = await agent.refused("list_customers")
    assert len(refused["choices"]) == 2
    assert (await agent.call("list_customers", {"restaurant_id": store.id}))["total"] == 1
