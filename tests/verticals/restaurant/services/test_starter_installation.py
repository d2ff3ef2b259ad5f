"""Installation of starter menus."""

import asyncio

import pytest
from comanda_restaurant.services.starter_menus import MENUS, Preset

from ..conftest import list_items


@pytest.mark.parametrize("preset", Preset)
async def test_preset_is_installed_in_an_empty_menu(store, published, preset):
    reply = await store.send("POST", "/menu/starter", {"preset": preset})

    menu = (await store.get("/menu")).document
    starter = MENUS[preset]
    assert reply.status == 201
    assert reply.document == {
        "restaurant_id": store.id, "preset": preset, "categories_count": len(menu), "items_count": starter.items_count,
    }  # fmt: skip
    assert [category["name"] for category in menu] == list(starter.categories)
    for category, items in zip(menu, starter.categories.values(), strict=True):
        assert [(item["name"], item["price"]) for item in category["items"]] == [(one.name, one.price) for one in items]
    assert len(await published()) == len(menu) + starter.items_count
    assert len(await store.public_items()) == starter.items_count


async def test_installed_items_can_be_ordered(store):
    await store.send("POST", "/menu/starter", {"preset": "burger"})
    items = {item["name"]: item for item in list_items((await store.get("/menu")).document)}
    burger = items["Cheeseburger"]
    chosen = [group["extras"][0]["id"] for group in burger["extra_groups"] if group["is_required"]]

    order = await store.order(
        {"item_id": burger["id"], "variation": burger["variations"][1]["id"], "extras": chosen, "quantity": 1}
    )

    assert order["total"] == 13.7


@pytest.mark.parametrize(
    ("currency", "factor", "price"), [("EUR", 1, 9.0), ("EUR", 1.111, 10.0), ("JPY", 160, 1440), ("KWD", 0.333, 2.997)]
)
async def test_prices_are_scaled_for_the_store(client, owner, currency, factor, price):
    store_id = await owner.store(currency=currency)
    path = f"/api/v1/restaurants/{store_id}/menu"

    body = {"preset": "pizzeria", "price_factor": factor}
    made = await client.post(f"{path}/starter", headers=owner.auth, json=body)

    assert made.status_code == 201
    menu = await (await client.get(path, headers=owner.auth)).get_json()
    margherita = next(item for item in list_items(menu) if item["name"] == "Margherita")
    assert margherita["price"] == price


async def test_menu_with_items_is_not_changed(store):
    await store.category("Soups")
    before = (await store.get("/menu")).document

    refused = await store.send("POST", "/menu/starter", {"preset": "cafe"})

    assert (refused.status, refused["code"], refused["categories_count"]) == (409, "conflict", 1)
    assert (await store.get("/menu")).document == before


async def test_concurrent_calls_install_once(store):
    replies = await asyncio.gather(*(store.send("POST", "/menu/starter", {"preset": "lounge"}) for _ in range(3)))

    assert sorted(reply.status for reply in replies) == [201, 409, 409]
    assert len(await store.public_items()) == MENUS[Preset.LOUNGE].items_count


async def test_store_without_food_is_refused(client, owner):
    store_id = await owner.store("retail")

    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/starter", headers=owner.auth, json={"preset": "cafe"}
    )

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == ["preset"]


async def test_owner_reads_starter_menus_before_installing_one(store, owner, client):
    overview = (await store.get("/menu/starter")).document["menus"]
    (cafe,) = (await store.get("/menu/starter?preset=cafe")).document["menus"]
    shop = await owner.store("retail")
    refused = await client.get(f"/api/v1/restaurants/{shop}/menu/starter", headers=owner.auth)

    assert [menu["preset"] for menu in overview] == ["cafe", "pizzeria", "burger", "bakery", "lounge"]
    assert sum(len(category["items"]) for category in cafe["categories"]) == cafe["items_count"]
    assert refused.status_code == 422
