"""Creating, updating and deleting brands."""

import asyncio

from comanda.platform.db import sql


async def versions(store):
    row = await sql.fetch_one("SELECT menu_version, stock_version FROM core_store WHERE id = $1", store.id)
    return tuple(row)


async def test_created_brand_stays_before_and_after_its_items(shop, list_brands, published):
    body = {"name": "Amber", "slug": "the-amber", "logo_url": "https://cdn.example/amber.svg"}
    made = await shop.send("POST", "/brands", body)
    assert (made.status, made.document) == (201, {"id": made["id"], **body, "items_count": 0})
    assert await published() == []

    lamp = await shop.item("Lamp", brand="AMBER")
    assert (await shop.get(f"/brands/{made['id']}")).document == {**made.document, "items_count": 1}
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await list_brands(shop) == [("Amber", 0)]


async def test_name_and_slug_of_hidden_brands_are_free(shop, list_brands):
    lamp, desk = await shop.item("Lamp", brand="Amber"), await shop.item("Desk", brand="Birch")
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")
    await shop.send("DELETE", f"/menu/items/{desk['id']}")

    made = await shop.send("POST", "/brands", {"name": "Amber", "slug": "birch"})

    assert (made.status, made["name"], made["slug"]) == (201, "Amber", "birch")
    assert await list_brands(shop) == [("Amber", 0)]


async def test_parallel_requests_create_one_brand(shop, list_brands):
    replies = await asyncio.gather(*(shop.send("POST", "/brands", {"name": "Amber"}) for _ in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422, 422]
    assert {sentence for reply in replies if reply.status == 422 for sentence in reply.errors["name"]} == {
        "This store already has a brand with this name."
    }
    assert await list_brands(shop) == [("Amber", 0)]


async def test_brand_with_items_cannot_be_deleted(shop, list_brands, find_brand):
    lamp = await shop.item("Lamp", brand="Amber")
    brand = await find_brand(shop, "Amber")

    refused = await shop.send("DELETE", f"/brands/{brand['id']}")
    assert (refused.status, refused["code"], refused["items_count"]) == (409, "conflict", 1)
    assert refused["message"] == "1 item uses the brand Amber."
    await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": "https://cdn.example/a.png"})
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await list_brands(shop) == [("Amber", 0)]
    assert (await shop.send("DELETE", f"/brands/{brand['id']}")).status == 204
    assert await list_brands(shop) == []


async def test_new_logo_emits_no_menu_update(shop, published, find_brand):
    await shop.item("Lamp", brand="Amber")
    brand = await find_brand(shop, "Amber")
    before = await versions(shop), await published()

    changed = await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": "https://cdn.example/a.png", "slug": "a"})
    emptied = await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": None, "slug": None, "name": None})

    assert changed.document == {**brand, "logo_url": "https://cdn.example/a.png", "slug": "a"}
    assert emptied.document == {**brand, "logo_url": None, "slug": "a"}
    assert (await versions(shop), await published()) == before
