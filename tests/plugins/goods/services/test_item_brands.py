"""The link between items and their brands."""

import asyncio
import dataclasses

import pytest
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.runtime import Runtime


async def test_first_item_that_names_brand_creates_it(shop):
    await shop.item("Lamp", brand="  Luzia & Filhos ")

    page = await shop.get("/brands")

    [brand] = page["data"]
    assert brand == {
        "id": brand["id"],
        "name": "Luzia & Filhos",
        "slug": "luzia-filhos",
        "logo_url": None,
        "items_count": 1,
    }
    assert {key: page[key] for key in ("total", "current_page", "last_page", "per_page")} == {
        "total": 1,
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
    }
    assert (await shop.get(f"/brands/{brand['id']}")).document == brand


@pytest.mark.parametrize("nothing", [None, "", "   "])
async def test_brand_goes_with_its_last_item(shop, list_brands, nothing, find_brand):
    lamp, chair = await shop.item("Lamp", brand="Luzia"), await shop.item("Chair", brand="Luzia")
    brand = await find_brand(shop, "Luzia")

    changed = await shop.send("PUT", f"/menu/items/{lamp['id']}", {"brand": nothing})
    assert (changed.status, changed["brand"]) == (200, None)
    assert await list_brands(shop) == [("Luzia", 1)]
    await shop.send("PUT", f"/menu/items/{chair['id']}", {"brand": nothing})

    assert await list_brands(shop) == []
    assert (await shop.get("/brands"))["total"] == 0
    assert (await shop.send("GET", f"/brands/{brand['id']}")).status == 404
    assert (await shop.send("PUT", f"/brands/{brand['id']}", {"name": "X"})).status == 404
    assert (await shop.send("DELETE", f"/brands/{brand['id']}")).status == 404
    await shop.item("Desk", brand="luzia")
    assert (await find_brand(shop, "Luzia"))["id"] == brand["id"]


async def test_item_with_new_brand_counts_there(shop, list_brands):
    lamp = await shop.item("Lamp", brand="Amber")
    await shop.item("Chair", brand="Birch")

    await shop.send("PUT", f"/menu/items/{lamp['id']}", {"brand": "birch"})

    assert await list_brands(shop) == [("Birch", 2)]


async def test_unrelated_change_keeps_brand(shop, list_brands):
    lamp = await shop.item("Lamp", brand="Amber")

    changed = await shop.send("PUT", f"/menu/items/{lamp['id']}", {"price": 7})

    assert changed["brand"] == "Amber"
    assert await list_brands(shop) == [("Amber", 1)]


async def test_deleted_item_leaves_its_brand(shop, list_brands):
    lamp = await shop.item("Lamp", brand="Amber")
    await shop.item("Chair", brand="Amber")

    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await list_brands(shop) == [("Amber", 1)]
    assert await sql.fetch_value("SELECT count(*) FROM goods_item_brand WHERE item_id = $1", lamp["id"]) == 0


async def test_parallel_items_create_one_brand(shop, list_brands):
    category_id = await shop.category()
    bodies = [
        {"name": f"Lamp {number}", "price": 1, "category_id": category_id, "brand": brand}
        for number, brand in enumerate(["Amber", "AMBER", "amber", "Amber", "Birch", "birch", "Birch", "BIRCH"])
    ]

    replies = await asyncio.gather(*(shop.send("POST", "/menu/items", body) for body in bodies))

    assert {reply.status for reply in replies} == {201}
    assert sorted((name.lower(), count) for name, count in await list_brands(shop)) == [("amber", 4), ("birch", 4)]
    assert await sql.fetch_value("SELECT count(*) FROM goods_brand WHERE store_id = $1", shop.id) == 2


async def test_deleting_brand_while_items_join_loses_nothing(shop, list_brands):
    for round_ in range(8):
        made = await shop.send("POST", "/brands", {"name": f"Amber {round_}"})
        category_id = await shop.category()
        body = {"name": "Lamp", "price": 1, "category_id": category_id, "brand": f"amber {round_}"}

        deleted, added = await asyncio.gather(
            shop.send("DELETE", f"/brands/{made['id']}"), shop.send("POST", "/menu/items", body)
        )

        assert (deleted.status, added.status) in {(204, 201), (409, 201)}
        assert (await list_brands(shop))[-1][1] == 1


async def test_items_are_sold_without_brand_capability(shop, runtime):
    lamp = await shop.item("Lamp", brand="Amber")
    capabilities = {code: each for code, each in runtime.registry.item_capabilities.items() if code != "brand"}

    runtime_module.use(Runtime(runtime.settings, dataclasses.replace(runtime.registry, item_capabilities=capabilities)))
    try:
        without = (await shop.get(f"/menu/items/{lamp['id']}")).document
        order = await shop.place({"item_id": lamp["id"]}, type="in_store")
    finally:
        runtime_module.use(runtime)

    assert without == {name: value for name, value in lamp.items() if name != "brand"}
    assert order.status == 201
    assert (await shop.get(f"/menu/items/{lamp['id']}")).document == lamp
