"""Renaming a brand together with its items."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_goods.services import brand_renames


async def brand_id(store, name):
    return next(brand["id"] for brand in (await store.get("/brands"))["data"] if brand["name"] == name)


async def menu_version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def spellings(store):
    return {item["name"]: item["brand"] for category in await store.public_menu() for item in category["items"]}


async def test_new_name_is_written_to_every_item(shop, published):
    lamp, desk = await shop.item("Lamp", brand="Amber"), await shop.item("Desk", brand="AMBER", stock=3)
    await shop.item("Chair", brand="Birch")
    id = await brand_id(shop, "Amber")
    version, events = await menu_version(shop), await published()

    renamed = await shop.send("PUT", f"/brands/{id}", {"name": "Ambar"})

    assert renamed.document == {"id": id, "name": "Ambar", "slug": "amber", "logo_url": None, "items_count": 2}
    assert await spellings(shop) == {"Lamp": "Ambar", "Desk": "Ambar", "Chair": "Birch"}
    assert (await shop.get(f"/menu/items/{desk['id']}")).document == {**desk, "brand": "Ambar"}
    assert await menu_version(shop) == version + 1
    data = {"restaurant_id": shop.id, "change": "updated", "entity": "item"}
    assert (await published())[len(events) :] == [
        ("menu.updated", {**data, "id": lamp["id"]}),
        ("menu.updated", {**data, "id": desk["id"]}),
    ]


async def test_new_spelling_is_written_to_every_item(shop, published):
    await shop.item("Lamp", brand="Amber")
    desk = await shop.item("Desk", brand="AMBER")
    id = await brand_id(shop, "Amber")
    events = await published()

    await shop.send("PUT", f"/brands/{id}", {"name": "Amber"})

    assert await spellings(shop) == {"Lamp": "Amber", "Desk": "Amber"}
    assert [event["id"] for _, event in (await published())[len(events) :]] == [desk["id"]]


async def test_old_name_becomes_another_brand_after_rename(shop, list_brands):
    await shop.item("Lamp", brand="Amber")
    await shop.send("PUT", f"/brands/{await brand_id(shop, 'Amber')}", {"name": "Birch"})

    await shop.item("Desk", brand="Amber")

    assert await list_brands(shop) == [("Amber", 1), ("Birch", 1)]
    slugs = [brand["slug"] for brand in (await shop.get("/brands"))["data"]]
    assert (slugs[0].startswith("amber-"), slugs[1]) == (True, "amber")


@pytest.mark.parametrize(
    ("body", "field"),
    [({"name": "birch", "slug": "new"}, "name"), ({"name": "Ambar", "slug": "birch"}, "slug"), ({"name": ""}, "name")],
)
async def test_name_or_slug_of_other_brand_returns_422(shop, published, list_brands, body, field):
    await shop.item("Lamp", brand="Amber")
    await shop.item("Desk", brand="Birch")
    id = await brand_id(shop, "Amber")
    before = await menu_version(shop), await published(), await spellings(shop), (await shop.get("/brands")).document

    refused = await shop.send("PUT", f"/brands/{id}", body)

    assert refused.errors.keys() == {field}
    after = await menu_version(shop), await published(), await spellings(shop), (await shop.get("/brands")).document
    assert after == before


async def test_name_of_hidden_brand_can_be_taken(shop, list_brands):
    await shop.item("Lamp", brand="Amber")
    gone = await shop.item("Desk", brand="Birch")
    await shop.send("DELETE", f"/menu/items/{gone['id']}")

    renamed = await shop.send("PUT", f"/brands/{await brand_id(shop, 'Amber')}", {"name": "BIRCH", "slug": "birch"})

    assert (renamed.status, renamed["slug"]) == (200, "birch")
    assert await list_brands(shop) == [("BIRCH", 1)]


async def test_items_saved_during_rename_match_their_brand(shop):
    items = [await shop.item(f"Lamp {number}", brand="Name 0") for number in range(4)]
    id = await brand_id(shop, "Name 0")
    category_id = await shop.category()

    for number in range(6):
        joining = {"name": f"New {number}", "price": 1, "category_id": category_id, "brand": f"Name {number}"}
        replies = await asyncio.gather(
            shop.send("PUT", f"/brands/{id}", {"name": f"Name {number + 1}"}),
            shop.send("POST", "/menu/items", joining),
            *(shop.send("PUT", f"/menu/items/{item['id']}", {"price": number + 1}) for item in items),
            shop.send("PUT", f"/menu/items/{items[0]['id']}", {"brand": f"Name {number}"}),
        )
        assert {reply.status for reply in replies} <= {200, 201}

    rows = await sql.fetch(
        """SELECT i.attributes ->> 'brand' AS said, b.name FROM core_menu_item i
           LEFT JOIN goods_item_brand l ON l.item_id = i.id LEFT JOIN goods_brand b ON b.id = l.brand_id
           WHERE i.store_id = $1""",
        shop.id,
    )
    assert len(rows) == 10
    assert [row for row in rows if row["said"] != row["name"]] == []


@pytest.fixture
def late_items(shop, monkeypatch):
    """Add items to the brand Amber, so many times, between the reading of its items and their lock."""
    looked, joined = asyncio.Event(), asyncio.Event()
    look_up, looks, tasks = brand_renames._get_item_ids, iter(range(100)), []

    async def join(times):
        for number in range(times):
            await looked.wait()
            looked.clear()
            await shop.item(f"Late {number}", brand="Amber")
            joined.set()

    def start(times):
        async def look(store, brand_id):
            found = await look_up(store, brand_id)
            # Every second look is the one that is taken with the brand locked.
            attempt, is_sure = divmod(next(looks), 2)
            if attempt < times and not is_sure:
                looked.set()
                await joined.wait()
                joined.clear()
            return found

        # Its own task from before the request, so that it does not write in the request's transaction.
        tasks.append(asyncio.create_task(join(times)))
        monkeypatch.setattr(brand_renames, "_get_item_ids", look)

    return start


async def test_items_added_during_rename_are_renamed_too(shop, list_brands, late_items):
    await shop.item("Lamp", brand="Amber")
    id = await brand_id(shop, "Amber")
    late_items(2)

    renamed = await shop.send("PUT", f"/brands/{id}", {"name": "Birch"})

    assert (renamed.status, renamed["items_count"]) == (200, 3)
    assert await spellings(shop) == {"Lamp": "Birch", "Late 0": "Birch", "Late 1": "Birch"}


async def test_rename_that_never_settles_changes_nothing(shop, list_brands, late_items):
    await shop.item("Lamp", brand="Amber")
    id = await brand_id(shop, "Amber")
    late_items(brand_renames.MAX_ATTEMPTS)

    refused = await shop.send("PUT", f"/brands/{id}", {"name": "Birch"})

    assert (refused.status, refused["code"]) == (503, "unavailable")
    assert await list_brands(shop) == [("Amber", brand_renames.MAX_ATTEMPTS + 1)]
    assert set((await spellings(shop)).values()) == {"Amber"}


async def test_concurrent_renames_leave_one_name(shop, list_brands):
    items = [await shop.item(f"Lamp {number}", brand="Amber") for number in range(5)]
    id = await brand_id(shop, "Amber")

    replies = await asyncio.gather(*(shop.send("PUT", f"/brands/{id}", {"name": f"N{number}"}) for number in range(4)))

    assert {reply.status for reply in replies} == {200}
    [(name, count)] = await list_brands(shop)
    assert count == len(items)
    assert set((await spellings(shop)).values()) == {name}


async def test_orders_and_rename_do_not_deadlock(shop):
    items = [await shop.item(f"Lamp {number}", brand="Amber", stock=100) for number in range(4)]
    id = await brand_id(shop, "Amber")
    lines = [{"item_id": item["id"], "quantity": 1} for item in items]

    for number in range(4):
        replies = await asyncio.gather(
            shop.send("PUT", f"/brands/{id}", {"name": f"Amber {number}"}),
            *(shop.place(*lines, type="in_store") for _ in range(3)),
            *(shop.place(*reversed(lines), type="in_store") for _ in range(3)),
        )
        assert {reply.status for reply in replies} <= {200, 201}

    stocks = {item["stock"] for category in (await shop.get("/menu")).document for item in category["items"]}
    assert stocks == {76}
