"""Brands: made by the items that name them, written down by owners, and gone when nobody wants them."""

import asyncio
import dataclasses

import pytest
from comanda import runtime as runtime_module
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore
from comanda.runtime import Runtime


async def find(store, name):
    return next(brand for brand in (await store.get("/brands"))["data"] if brand["name"] == name)


async def versions(store):
    row = await sql.fetch_one("SELECT menu_version, stock_version FROM core_store WHERE id = $1", store.id)
    return tuple(row)


async def test_the_first_item_that_names_a_brand_makes_it(shop):
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


async def test_letter_case_spacing_and_width_make_no_other_brand_and_items_keep_their_spelling(shop, brands):
    spellings = ["Luzia Lux", "LUZIA  lux", "Luzia\u00a0Lux", "Luzia Lux"]
    made = [await shop.item(f"Lamp {number}", brand=brand) for number, brand in enumerate(spellings)]

    assert await brands(shop) == [("Luzia Lux", 4)]
    assert [item["brand"] for item in made] == spellings


async def test_brands_stand_in_the_order_of_their_names_on_pages(shop):
    for name in ("cobalt", "Amber", "Birch"):
        await shop.item(f"Lamp of {name}", brand=name)

    first = await shop.get("/brands?per_page=2")
    second = await shop.get("/brands?per_page=2&page=2")

    assert [brand["name"] for brand in first["data"]] == ["Amber", "Birch"]
    assert [brand["name"] for brand in second["data"]] == ["cobalt"]
    assert (first["total"], first["last_page"], second["total"]) == (3, 2, 3)


async def test_brands_whose_names_look_alike_in_an_address_get_addresses_of_their_own(shop):
    for number, name in enumerate(("Café", "Cafe!", "カメラ", "Камера")):
        await shop.item(f"Thing {number}", brand=name)

    slugs = {brand["name"]: brand["slug"] for brand in (await shop.get("/brands"))["data"]}

    assert slugs["Café"] == "cafe"
    assert slugs["Cafe!"].startswith("cafe-")
    assert slugs["カメラ"] == "brand"
    assert slugs["Камера"].startswith("brand-")
    assert len(set(slugs.values())) == 4


@pytest.mark.parametrize("nothing", [None, "", "   "])
async def test_an_item_may_lose_its_brand_and_the_brand_goes_with_its_last_item(shop, brands, nothing):
    lamp, chair = await shop.item("Lamp", brand="Luzia"), await shop.item("Chair", brand="Luzia")
    brand = await find(shop, "Luzia")

    changed = await shop.send("PUT", f"/menu/items/{lamp['id']}", {"brand": nothing})
    assert (changed.status, changed["brand"]) == (200, None)
    assert await brands(shop) == [("Luzia", 1)]
    await shop.send("PUT", f"/menu/items/{chair['id']}", {"brand": nothing})

    assert await brands(shop) == []
    assert (await shop.get("/brands"))["total"] == 0
    assert (await shop.send("GET", f"/brands/{brand['id']}")).status == 404
    assert (await shop.send("PUT", f"/brands/{brand['id']}", {"name": "X"})).status == 404
    assert (await shop.send("DELETE", f"/brands/{brand['id']}")).status == 404
    await shop.item("Desk", brand="luzia")
    assert (await find(shop, "Luzia"))["id"] == brand["id"]


async def test_an_item_that_moves_to_another_brand_counts_there(shop, brands):
    lamp = await shop.item("Lamp", brand="Amber")
    await shop.item("Chair", brand="Birch")

    await shop.send("PUT", f"/menu/items/{lamp['id']}", {"brand": "birch"})

    assert await brands(shop) == [("Birch", 2)]


async def test_a_change_of_something_else_leaves_the_brand(shop, brands):
    lamp = await shop.item("Lamp", brand="Amber")

    changed = await shop.send("PUT", f"/menu/items/{lamp['id']}", {"price": 7})

    assert changed["brand"] == "Amber"
    assert await brands(shop) == [("Amber", 1)]


async def test_a_deleted_item_leaves_its_brand(shop, brands):
    lamp = await shop.item("Lamp", brand="Amber")
    await shop.item("Chair", brand="Amber")

    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await brands(shop) == [("Amber", 1)]
    assert await sql.fetch_value("SELECT count(*) FROM goods_item_brand WHERE item_id = $1", lamp["id"]) == 0


@pytest.mark.parametrize("brand", ["x" * 256, 5, True, ["Amber"], {"name": "Amber"}])
async def test_an_item_whose_brand_is_no_name_is_refused_whole(shop, brands, brand):
    category_id = await shop.category()

    body = {"name": "Lamp", "price": 1, "category_id": category_id, "brand": brand}
    refused = await shop.send("POST", "/menu/items", body)

    assert refused.errors.keys() == {"brand"}
    assert (await shop.get("/menu"))[0]["items"] == []
    assert await brands(shop) == []


async def test_the_longest_and_strangest_names_fit(shop, brands):
    # A ligature of eighteen letters: what a name is compared by may be longer than the name.
    for number, name in enumerate(("ﷺ" * 255, "\U0001f9d1" * 255, "ΐ" * 255)):
        await shop.item(f"Thing {number}", brand=name)

    assert sorted(await brands(shop)) == sorted([("ﷺ" * 255, 1), ("\U0001f9d1" * 255, 1), ("ΐ" * 255, 1)])


async def test_parallel_items_that_name_one_new_brand_make_one(shop, brands):
    category_id = await shop.category()
    bodies = [
        {"name": f"Lamp {number}", "price": 1, "category_id": category_id, "brand": brand}
        for number, brand in enumerate(["Amber", "AMBER", "amber", "Amber", "Birch", "birch", "Birch", "BIRCH"])
    ]

    replies = await asyncio.gather(*(shop.send("POST", "/menu/items", body) for body in bodies))

    assert {reply.status for reply in replies} == {201}
    assert sorted((name.lower(), count) for name, count in await brands(shop)) == [("amber", 4), ("birch", 4)]
    assert await sql.fetch_value("SELECT count(*) FROM goods_brand WHERE store_id = $1", shop.id) == 2


async def test_a_brand_that_is_written_down_is_there_before_and_after_its_items(shop, brands, published):
    body = {"name": "Amber", "slug": "the-amber", "logo_url": "https://cdn.example/amber.svg"}
    made = await shop.send("POST", "/brands", body)
    assert (made.status, made.document) == (201, {"id": made["id"], **body, "items_count": 0})
    assert await published() == []

    lamp = await shop.item("Lamp", brand="AMBER")
    assert (await shop.get(f"/brands/{made['id']}")).document == {**made.document, "items_count": 1}
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await brands(shop) == [("Amber", 0)]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "New", "slug": "Not A Slug"}, "slug"),
        ({"name": "New", "slug": "-new"}, "slug"),
        ({"name": "New", "slug": "new\n"}, "slug"),
        ({"name": "New", "slug": "x" * 101}, "slug"),
        ({"name": "New", "logo_url": "javascript:alert(1)"}, "logo_url"),
        ({"name": "aMBER"}, "name"),
        ({"name": "New", "slug": "amber"}, "slug"),
    ],
)
async def test_a_brand_that_will_not_do_is_refused(shop, brands, body, field):
    await shop.item("Lamp", brand="Amber")

    refused = await shop.send("POST", "/brands", body)

    assert refused.errors.keys() == {field}
    assert await brands(shop) == [("Amber", 1)]


async def test_a_name_and_a_slug_that_only_unseen_brands_have_are_free(shop, brands):
    lamp, desk = await shop.item("Lamp", brand="Amber"), await shop.item("Desk", brand="Birch")
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")
    await shop.send("DELETE", f"/menu/items/{desk['id']}")

    made = await shop.send("POST", "/brands", {"name": "Amber", "slug": "birch"})

    assert (made.status, made["name"], made["slug"]) == (201, "Amber", "birch")
    assert await brands(shop) == [("Amber", 0)]


async def test_parallel_requests_for_one_name_make_one_brand(shop, brands):
    replies = await asyncio.gather(*(shop.send("POST", "/brands", {"name": "Amber"}) for _ in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422, 422]
    assert {sentence for reply in replies if reply.status == 422 for sentence in reply.errors["name"]} == {
        "This store has a brand of that name."
    }
    assert await brands(shop) == [("Amber", 0)]


async def test_a_brand_with_items_cannot_be_deleted(shop, brands):
    lamp = await shop.item("Lamp", brand="Amber")
    brand = await find(shop, "Amber")

    refused = await shop.send("DELETE", f"/brands/{brand['id']}")
    assert (refused.status, refused["code"], refused["items_count"]) == (409, "conflict", 1)
    assert refused["message"] == "1 item is of the brand Amber."
    await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": "https://cdn.example/a.png"})
    await shop.send("DELETE", f"/menu/items/{lamp['id']}")

    assert await brands(shop) == [("Amber", 0)]
    assert (await shop.send("DELETE", f"/brands/{brand['id']}")).status == 204
    assert await brands(shop) == []


async def test_deleting_a_brand_while_items_join_it_loses_no_item_and_no_brand(shop, brands):
    for round_ in range(8):
        made = await shop.send("POST", "/brands", {"name": f"Amber {round_}"})
        category_id = await shop.category()
        body = {"name": "Lamp", "price": 1, "category_id": category_id, "brand": f"amber {round_}"}

        deleted, added = await asyncio.gather(
            shop.send("DELETE", f"/brands/{made['id']}"), shop.send("POST", "/menu/items", body)
        )

        assert (deleted.status, added.status) in {(204, 201), (409, 201)}
        assert (await brands(shop))[-1][1] == 1


async def test_a_store_without_brands_lists_none_and_takes_none(store, brands, published):
    await store.item("Soup", brand="Amber")
    before = await published()

    refused = await store.send("POST", "/brands", {"name": "Amber"})

    assert (refused.status, refused["code"]) == (409, "conflict")
    assert await brands(store) == []
    assert await published() == before
    assert await sql.fetch_value("SELECT count(*) FROM goods_brand WHERE store_id = $1", store.id) == 0


async def test_a_brand_of_another_store_or_owner_looks_missing(shop, client, owner, other_owner, brands):
    await shop.item("Lamp", brand="Amber")
    brand = await find(shop, "Amber")
    sister = TestStore(client, owner, await owner.store("retail"))
    stranger = TestStore(client, other_owner, await other_owner.store("retail"))
    intruder = TestStore(client, other_owner, shop.id)

    for elsewhere in (sister, stranger, intruder):
        for method, body in (("GET", None), ("PUT", {"name": "Mine"}), ("DELETE", None)):
            assert (await elsewhere.send(method, f"/brands/{brand['id']}", body)).status == 404
    assert await brands(shop) == [("Amber", 1)]
    assert await brands(sister) == []
    await sister.item("Lamp", brand="amber")
    assert await brands(sister) == [("amber", 1)]


async def test_writing_brands_needs_the_scope_to_write_menus(shop, client, owner, brands):
    await shop.item("Lamp", brand="Amber")
    brand = await find(shop, "Amber")
    reading = await owner.token_with("menu:read")
    path = f"/api/v1/restaurants/{shop.id}/brands"

    assert (await client.get(path, headers=reading)).status_code == 200
    assert (await client.post(path, json={"name": "Birch"}, headers=reading)).status_code == 403
    assert (await client.put(f"{path}/{brand['id']}", json={"name": "B"}, headers=reading)).status_code == 403
    assert (await client.delete(f"{path}/{brand['id']}", headers=reading)).status_code == 403
    assert await brands(shop) == [("Amber", 1)]


async def test_a_logo_changes_no_menu(shop, published):
    await shop.item("Lamp", brand="Amber")
    brand = await find(shop, "Amber")
    before = await versions(shop), await published()

    changed = await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": "https://cdn.example/a.png", "slug": "a"})
    emptied = await shop.send("PUT", f"/brands/{brand['id']}", {"logo_url": None, "slug": None, "name": None})

    assert changed.document == {**brand, "logo_url": "https://cdn.example/a.png", "slug": "a"}
    assert emptied.document == {**brand, "logo_url": None, "slug": "a"}
    assert (await versions(shop), await published()) == before


async def test_items_are_shown_and_sold_without_their_brand_while_nobody_offers_brands(shop, runtime):
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
