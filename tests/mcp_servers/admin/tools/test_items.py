"""Tools for items."""

from datetime import timedelta

import pytest


async def test_item_is_created_with_variations_and_extras(agent, store):
    toppings = {"name": "Toppings", "min": 1, "max": 3, "free_count": 1, "extras": [{"name": "Olives", "price": 1.2}]}
    arguments = {
        "category_id": await store.category("Pizza"), "name": "Marinara", "price": 8.5, "description": "No cheese.",
        "tax_rate": 7, "is_popular": True, "variations": [{"name": "Large", "price": 12}], "extra_groups": [toppings],
        "details": {"is_vegan": True, "calories": 640},
        "gallery": [{"url": "https://a.example/m.jpg", "alt": "Slices"}],
    }  # fmt: skip

    item = await agent.call("add_menu_item", arguments)

    assert (await store.get(f"/menu/items/{item['id']}")).document == item
    assert (item["price"], item["tax_rate"], item["is_popular"]) == (8.5, 7, True)
    assert item["gallery"] == [{"url": "https://a.example/m.jpg", "alt": "Slices"}]
    assert (item["is_vegan"], item["is_halal"], item["calories"]) == (True, False, 640)
    assert [(each["name"], each["price"]) for each in item["variations"]] == [("Large", 12)]
    (group,) = item["extra_groups"]
    assert (group["is_required"], group["min"], group["max"], group["free_count"]) == (True, 1, 3, 1)
    assert [(each["name"], each["price"]) for each in group["extras"]] == [("Olives", 1.2)]


async def test_unknown_detail_lists_known_ones(agent, store):
    arguments = {"category_id": await store.category(), "name": "x", "price": 1, "details": {"brand": "Acme"}}

    refused = await agent.refused("add_menu_item", arguments)

    (problem,) = refused["errors"]["details"]
    assert problem.startswith("Unknown field brand. Known fields: is_vegan, is_halal, calories, ")


async def test_update_keeps_omitted_fields(agent, store):
    item = await store.item("Soup", 5, description="Hot", is_vegan=True)

    renamed = await agent.call("update_menu_item", {"item_id": item["id"], "name": "Broth", "price": 6.5})
    emptied = await agent.call("update_menu_item", {"item_id": item["id"], "description": ""})

    assert renamed == {**item, "name": "Broth", "price": 6.5}
    assert emptied == {**renamed, "description": None}


@pytest.mark.parametrize("tool", ["update_menu_item", "update_category"])
async def test_empty_update_is_refused(agent, store, published, tool):
    item = await store.item()
    ids = {"update_menu_item": {"item_id": item["id"]}, "update_category": {"category_id": item["category_id"]}}
    before = await published()

    refused = await agent.refused(tool, ids[tool])

    assert list(refused["errors"]) == ["name"]
    assert await published() == before


async def test_item_is_sold_out_until_a_time(agent, store, clock):
    item = await store.item()
    later = (clock() + timedelta(hours=2)).isoformat()

    gone = await agent.call("set_item_availability", {"item_id": item["id"], "is_available": False, "until": later})
    assert gone == {"id": item["id"], "is_available": False, "until": later}
    assert await store.public_items() == []

    back = await agent.call("set_item_availability", {"item_id": item["id"], "is_available": True})
    assert back == {"id": item["id"], "is_available": True, "until": None}
    assert await store.public_items() == ["Soup"]

    for wrong in ({"is_available": True, "until": later}, {"is_available": False, "until": "2020-01-01T00:00:00Z"}):
        refused = await agent.refused("set_item_availability", {"item_id": item["id"], **wrong})
        assert list(refused["errors"]) == ["until"]
    assert await store.public_items() == ["Soup"]
