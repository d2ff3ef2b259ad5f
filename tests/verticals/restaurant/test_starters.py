"""Menus to begin with: complete, shown to agents, and installed in one call."""

import asyncio

import pytest
from comanda.testing.mcp import McpClient
from comanda_restaurant.services.starter_menus import MENUS, Preset


@pytest.fixture
def agent(client):
    return McpClient(client, "/mcp/catalog")


def all_items(menu):
    return [item for category in menu for item in category["items"]]


@pytest.mark.parametrize("preset", Preset)
def test_a_menu_to_begin_with_is_complete(preset):
    menu = MENUS[preset]
    dishes = [dish for course in menu.categories.values() for dish in course]

    assert 5 <= len(menu.categories) <= 8
    assert menu.items_count == len(dishes) >= 25
    assert all(len({dish.name for dish in course}) == len(course) for course in menu.categories.values())
    assert all(dish.description and dish.price > 0 and dish.calories is not None for dish in dishes)
    assert sum(dish.is_vegan for dish in dishes) >= 5
    assert any(dish.is_halal and not dish.is_vegan for dish in dishes)
    assert any(dish.is_popular for dish in dishes)
    assert any(dish.sizes for dish in dishes)
    assert any(dish.extra_groups for dish in dishes)
    assert all(dish.sizes[0][1] == dish.price for dish in dishes if dish.sizes)


async def test_agents_see_an_overview_and_one_menu_in_full(agent):
    overview = (await agent.call("list_starter_menus"))["menus"]
    (pizzeria,) = (await agent.call("list_starter_menus", {"preset": "pizzeria"}))["menus"]

    assert [menu["preset"] for menu in overview] == ["cafe", "pizzeria", "burger", "bakery", "lounge"]
    assert all(category["items"] == [] for menu in overview for category in menu["categories"])
    assert [menu["items_count"] for menu in overview] == [menu.items_count for menu in MENUS.values()]
    assert len(all_items(pizzeria["categories"])) == pizzeria["items_count"] == overview[1]["items_count"]
    margherita = next(item for item in all_items(pizzeria["categories"]) if item["name"] == "Margherita")
    assert (margherita["price"], margherita["is_halal"], margherita["calories"]) == (9.0, True, 780)
    assert [each["price"] for each in margherita["variations"]] == [9.0, 13.0]
    assert [group["name"] for group in margherita["extra_groups"]] == ["Dough", "Extra toppings"]


async def test_agents_are_told_which_presets_there_are(agent):
    refused = await agent.refused("list_starter_menus", {"preset": "sushi"})

    assert list(refused["errors"]) == ["preset"]
    assert "pizzeria" in refused["errors"]["preset"][0]


@pytest.mark.parametrize("preset", Preset)
async def test_a_preset_fills_an_empty_menu_in_one_call(store, published, preset):
    reply = await store.send("POST", "/menu/starter", {"preset": preset})

    menu = (await store.get("/menu")).document
    starter = MENUS[preset]
    assert reply.status == 201
    assert reply.document == {
        "restaurant_id": store.id, "preset": preset, "categories_count": len(menu), "items_count": starter.items_count,
    }  # fmt: skip
    assert [category["name"] for category in menu] == list(starter.categories)
    for category, dishes in zip(menu, starter.categories.values(), strict=True):
        assert [(item["name"], item["price"]) for item in category["items"]] == [
            (one.name, one.price) for one in dishes
        ]
    assert len(await published()) == len(menu) + starter.items_count
    assert len(await store.public_items()) == starter.items_count


async def test_what_was_installed_can_be_ordered(store):
    await store.send("POST", "/menu/starter", {"preset": "burger"})
    items = {item["name"]: item for item in all_items((await store.get("/menu")).document)}
    burger = items["Cheeseburger"]
    chosen = [group["extras"][0]["id"] for group in burger["extra_groups"] if group["is_required"]]

    order = await store.order(
        {"item_id": burger["id"], "variation": burger["variations"][1]["id"], "extras": chosen, "quantity": 1}
    )

    assert order["total"] == 13.7


@pytest.mark.parametrize(
    ("currency", "factor", "price"), [("EUR", 1, 9.0), ("EUR", 1.111, 10.0), ("JPY", 160, 1440), ("KWD", 0.333, 2.997)]
)
async def test_prices_are_turned_into_those_of_the_store(client, owner, currency, factor, price):
    store_id = await owner.store(currency=currency)
    path = f"/api/v1/restaurants/{store_id}/menu"

    body = {"preset": "pizzeria", "price_factor": factor}
    made = await client.post(f"{path}/starter", headers=owner.auth, json=body)

    assert made.status_code == 201
    menu = await (await client.get(path, headers=owner.auth)).get_json()
    margherita = next(item for item in all_items(menu) if item["name"] == "Margherita")
    assert margherita["price"] == price


async def test_a_menu_that_is_not_empty_stays_as_it_is(store):
    await store.category("Soups")
    before = (await store.get("/menu")).document

    refused = await store.send("POST", "/menu/starter", {"preset": "cafe"})

    assert (refused.status, refused["code"], refused["categories_count"]) == (409, "conflict", 1)
    assert (await store.get("/menu")).document == before


async def test_two_calls_at_once_fill_the_menu_once(store):
    replies = await asyncio.gather(*(store.send("POST", "/menu/starter", {"preset": "lounge"}) for _ in range(3)))

    assert sorted(reply.status for reply in replies) == [201, 409, 409]
    assert len(await store.public_items()) == MENUS[Preset.LOUNGE].items_count


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "preset"), ({"preset": "sushi"}, "preset"), ({"preset": "cafe", "price_factor": 0}, "price_factor"),
        ({"preset": "cafe", "price_factor": 100_001}, "price_factor"),
        ({"preset": "cafe", "price_factor": True}, "price_factor"),
    ],
)  # fmt: skip
async def test_a_body_that_is_wrong_changes_nothing(store, published, body, field):
    refused = await store.send("POST", "/menu/starter", body)

    assert list(refused.errors) == [field]
    assert (await store.get("/menu")).document == []
    assert await published() == []


async def test_stores_that_serve_no_food_have_no_such_menus(client, owner):
    store_id = await owner.store("retail")

    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/starter", headers=owner.auth, json={"preset": "cafe"}
    )

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == ["preset"]
