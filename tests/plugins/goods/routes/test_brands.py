"""The routes of brands."""

from comanda.devkit.testing import TestStore
from comanda.platform.db import sql


async def test_brands_are_listed_by_name(shop):
    for name in ("cobalt", "Amber", "Birch"):
        await shop.item(f"Lamp of {name}", brand=name)

    first = await shop.get("/brands?per_page=2")
    second = await shop.get("/brands?per_page=2&page=2")

    assert [brand["name"] for brand in first["data"]] == ["Amber", "Birch"]
    assert [brand["name"] for brand in second["data"]] == ["cobalt"]
    assert (first["total"], first["last_page"], second["total"]) == (3, 2, 3)


async def test_store_without_brands_lists_none_and_refuses_creation(store, list_brands, published):
    await store.item("Soup", brand="Amber")
    before = await published()

    refused = await store.send("POST", "/brands", {"name": "Amber"})

    assert (refused.status, refused["code"]) == (409, "conflict")
    assert await list_brands(store) == []
    assert await published() == before
    assert await sql.fetch_value("SELECT count(*) FROM goods_brand WHERE store_id = $1", store.id) == 0


async def test_brand_of_other_store_or_owner_returns_404(shop, client, owner, other_owner, list_brands, find_brand):
    await shop.item("Lamp", brand="Amber")
    brand = await find_brand(shop, "Amber")
    sister = TestStore(client, owner, await owner.store("retail"))
    stranger = TestStore(client, other_owner, await other_owner.store("retail"))
    intruder = TestStore(client, other_owner, shop.id)

    for elsewhere in (sister, stranger, intruder):
        for method, body in (("GET", None), ("PUT", {"name": "Mine"}), ("DELETE", None)):
            assert (await elsewhere.send(method, f"/brands/{brand['id']}", body)).status == 404
    assert await list_brands(shop) == [("Amber", 1)]
    assert await list_brands(sister) == []
    await sister.item("Lamp", brand="amber")
    assert await list_brands(sister) == [("amber", 1)]


async def test_writing_brands_requires_menu_write(shop, client, owner, list_brands, find_brand):
    await shop.item("Lamp", brand="Amber")
    brand = await find_brand(shop, "Amber")
    reading = await owner.token_with("menu:read")
    path = f"/api/v1/restaurants/{shop.id}/brands"

    assert (await client.get(path, headers=reading)).status_code == 200
    assert (await client.post(path, json={"name": "Birch"}, headers=reading)).status_code == 403
    assert (await client.put(f"{path}/{brand['id']}", json={"name": "B"}, headers=reading)).status_code == 403
    assert (await client.delete(f"{path}/{brand['id']}", headers=reading)).status_code == 403
    assert await list_brands(shop) == [("Amber", 1)]
