"""What an owner's agent does with menus: the same as the owner would over REST."""

from datetime import timedelta

import pytest


async def test_the_menu_is_the_owners_with_what_guests_do_not_see(agent, store):
    soups = await store.category("Soups")
    await store.item("Minestrone", 7.5, category_id=soups, is_sold_out=True, variations=[{"name": "Big", "price": 9}])

    document = await agent.call("get_menu")

    assert document == {"restaurant_id": store.id, "categories": (await store.get("/menu")).document}
    assert document["categories"][0]["items"][0]["is_sold_out"] is True
    await store.send("PUT", f"/menu/categories/{soups}", {"name": "Broths"})
    assert [each["name"] for each in (await agent.call("get_menu"))["categories"]] == ["Broths"]


async def test_categories_are_listed_with_the_number_of_their_items(agent, store):
    soups, sweets = await store.category("Soups", position=2), await store.category("Sweets", is_active=False)
    await store.item("Minestrone", category_id=soups)

    assert await agent.call("list_categories", {"restaurant_id": store.id}) == {
        "restaurant_id": store.id,
        "categories": [
            {"id": sweets, "name": "Sweets", "position": 0, "is_active": False, "items_count": 0},
            {"id": soups, "name": "Soups", "position": 2, "is_active": True, "items_count": 1},
        ],
    }


async def test_categories_are_added_and_changed(agent, store, published):
    made = await agent.call("add_category", {"name": " Soups "})
    changed = await agent.call("update_category", {"category_id": made["id"], "is_active": False})

    assert made == {"id": made["id"], "name": "Soups", "position": 0, "is_active": True}
    assert changed == {**made, "is_active": False}
    assert [data["change"] for _, data in await published()] == ["created", "updated"]


async def test_a_category_is_deleted_only_without_items(agent, store):
    soups = await store.category("Soups")
    item = await store.item(category_id=soups)

    refused = await agent.refused("delete_category", {"category_id": soups})
    assert (refused["code"], refused["items_count"]) == ("conflict", 1)
    assert len((await store.get("/menu")).document) == 1

    assert await agent.call("delete_menu_item", {"item_id": item["id"]}) == {"id": item["id"], "is_deleted": True}
    assert await agent.call("delete_category", {"category_id": soups}) == {"id": soups, "is_deleted": True}
    assert (await store.get("/menu")).document == []
    assert (await agent.refused("delete_category", {"category_id": soups}))["code"] == "not_found"


async def test_an_item_is_added_with_everything_that_can_be_chosen(agent, store):
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


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"price": -1}, "price"),
        ({"price": 1.234}, "price"),
        ({"price": True}, "price"),
        ({"name": "  "}, "name"),
        ({"image_url": "javascript:alert(1)"}, "image_url"),
        ({"gallery": [{"url": "javascript:alert(1)"}]}, "gallery.0.url"),
        ({"details": {"brand": "Acme"}}, "details"),
        ({"details": {"price": 1}}, "details"),
        ({"details": {"calories": "many"}}, "calories"),
        ({"details": {f"x{number}": 1 for number in range(51)}}, "details"),
        ({"extra_groups": [{"name": "None", "extras": []}]}, "extra_groups.0.extras"),
        ({"category_id": 987654321}, "category_id"),
    ],
)
async def test_an_item_that_is_wrong_is_refused_by_the_argument(agent, store, wrong, field):
    arguments = {"category_id": await store.category("Pizza"), "name": "Marinara", "price": 8.5, **wrong}

    refused = await agent.refused("add_menu_item", arguments)

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])
    assert [category["items"] for category in (await store.get("/menu")).document] == [[]]


async def test_an_unknown_detail_is_refused_with_those_there_are(agent, store):
    arguments = {"category_id": await store.category(), "name": "x", "price": 1, "details": {"brand": "Acme"}}

    refused = await agent.refused("add_menu_item", arguments)

    assert refused["errors"]["details"] == ["Unknown field brand. Known fields: is_vegan, is_halal, calories."]


async def test_name_price_and_description_of_an_item_change_and_the_rest_stays(agent, store):
    item = await store.item("Soup", 5, description="Hot", is_vegan=True)

    renamed = await agent.call("update_menu_item", {"item_id": item["id"], "name": "Broth", "price": 6.5})
    emptied = await agent.call("update_menu_item", {"item_id": item["id"], "description": ""})

    assert renamed == {**item, "name": "Broth", "price": 6.5}
    assert emptied == {**renamed, "description": None}


@pytest.mark.parametrize("tool", ["update_menu_item", "update_category"])
async def test_a_change_of_nothing_is_refused_and_not_announced(agent, store, published, tool):
    item = await store.item()
    ids = {"update_menu_item": {"item_id": item["id"]}, "update_category": {"category_id": item["category_id"]}}
    before = await published()

    refused = await agent.refused(tool, ids[tool])

    assert list(refused["errors"]) == ["name"]
    assert await published() == before


async def test_an_item_is_sold_out_until_a_time_and_back(agent, store, clock):
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
