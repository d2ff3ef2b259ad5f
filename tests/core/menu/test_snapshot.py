"""Cached snapshots of menus."""

import asyncio
import math

import pytest
from cachetools import LRUCache
from comanda.devkit.testing.stores import line
from comanda.menu import public_view, snapshot
from comanda.menu.reading import queries
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql


async def test_changes_by_other_processes_are_seen(store):
    soup = await store.item("Soup")
    assert await store.public_items() == ["Soup"]
    await sql.execute("UPDATE core_menu_item SET name = 'Broth' WHERE id = $1", soup["id"])
    kept = await store.public_items()
    await sql.execute("UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1", store.id)

    assert kept == ["Soup"]  # a version that is kept costs no load
    assert await store.public_items() == ["Broth"]


async def test_a_changed_menu_is_loaded_once_for_all_who_wait(store, monkeypatch):
    await store.item("Soup")
    loads = 0

    async def load_menu(store_id):
        nonlocal loads
        loads += 1
        return await queries.load_menu(store_id)

    monkeypatch.setattr(snapshot, "load_menu", load_menu)
    snapshot._snapshots.clear()

    menus = await asyncio.gather(*(public_view.get_public_menu(store.id) for _ in range(16)))

    assert {menu.public for menu in menus} == {menus[0].public}
    assert loads == 1
    async with sql.transaction():
        assert (await public_view.get_public_menu(store.id)).public == menus[0].public


@pytest.fixture
def loads(monkeypatch):
    """Return the menus that have been loaded whole."""
    found = []

    async def load_menu(store_id):
        found.append(store_id)
        return await queries.load_menu(store_id)

    monkeypatch.setattr(snapshot, "load_menu", load_menu)
    return found


async def list_stocks(store):
    return {item["name"]: item["stock"] for category in await store.public_menu() for item in category["items"]}


async def sell_elsewhere(store, table, id, stock):
    """Change a stock as an order in another process does."""
    async with sql.transaction():
        await sql.execute(f"UPDATE {table} SET stock = $2 WHERE id = $1", id, stock)
        await sql.execute("UPDATE core_store SET stock_version = stock_version + 1 WHERE id = $1", store.id)


async def test_stock_that_another_process_sells_is_in_the_next_menu(bazaar, loads):
    category_id = await bazaar.category()
    lamp = await bazaar.item("Lamp", stock=5, category_id=category_id)
    shade = await bazaar.item("Shade", stock=9, category_id=category_id)
    before, etag = await list_stocks(bazaar), (await public_view.get_public_menu(bazaar.id)).etag
    loads.clear()

    await sell_elsewhere(bazaar, "core_menu_item", lamp["id"], 3)
    sold = await list_stocks(bazaar)
    await sell_elsewhere(bazaar, "core_menu_item", lamp["id"], 5)
    returned = await public_view.get_public_menu(bazaar.id)

    assert (before, sold) == ({"Lamp": 5, "Shade": 9}, {"Lamp": 3, "Shade": 9})
    assert (returned.items[lamp["id"]].stock, returned.items[shade["id"]].stock) == (5, 9)
    assert returned.etag == etag
    assert loads == []


async def test_stock_of_a_variant_is_in_the_next_menu(bazaar, loads):
    lamp = await bazaar.item("Lamp")
    path = f"/menu/items/{lamp['id']}/variants"
    red, blue = [
        (await bazaar.send("POST", path, {"name": name, "price": 8, "stock": 5}))["id"] for name in ("Red", "Blue")
    ]
    await public_view.get_public_menu(bazaar.id)
    loads.clear()

    await sell_elsewhere(bazaar, "core_variant", red, 4)
    item = (await public_view.get_public_menu(bazaar.id)).items[lamp["id"]]

    assert [variant.stock for variant in item.variants] == [4, 5]
    assert {id: variant.stock for id, variant in item.variant_by_id.items()} == {red: 4, blue: 5}
    assert loads == []


async def test_an_order_is_in_the_next_menu(bazaar, loads):
    lamp = await bazaar.item("Lamp", stock=5)
    await list_stocks(bazaar)
    loads.clear()

    await bazaar.order(line(lamp, 2))

    assert await list_stocks(bazaar) == {"Lamp": 3}
    assert loads == []
    await bazaar.order(line(lamp, 3))
    assert await list_stocks(bazaar) == {}


async def test_items_that_sell_out_leave_the_menu(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)
    await bazaar.item("Shade", stock=9)
    await list_stocks(bazaar)

    await sell_elsewhere(bazaar, "core_menu_item", lamp["id"], 0)
    sold_out = await list_stocks(bazaar)
    await sell_elsewhere(bazaar, "core_menu_item", lamp["id"], 1)

    assert sold_out == {"Shade": 9}
    assert await list_stocks(bazaar) == {"Lamp": 1, "Shade": 9}


async def test_a_change_and_a_sale_at_once_are_both_in_the_next_menu(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)
    await list_stocks(bazaar)

    await sell_elsewhere(bazaar, "core_menu_item", lamp["id"], 3)
    await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"name": "Lantern"})

    assert await list_stocks(bazaar) == {"Lantern": 3}


async def test_what_a_change_leaves_is_used_again(store, monkeypatch):
    encoded = []
    encode_item = snapshot.encode_item
    monkeypatch.setattr(
        snapshot, "encode_item", lambda item, *rest: encoded.append(item.name) or encode_item(item, *rest)
    )
    soup, bread = await store.item("Soup"), await store.item("Bread")
    before = await public_view.get_public_menu(store.id)
    encoded.clear()

    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})
    after = await public_view.get_public_menu(store.id)

    assert encoded == ["Soup"]
    assert after.items[bread["id"]] is before.items[bread["id"]]
    assert [item["price"] for category in await store.public_menu() for item in category["items"]] == [6, 5]


async def test_an_item_whose_category_is_hidden_is_not_used_again(store):
    category_id = await store.category("Dishes")
    soup = await store.item("Soup", category_id=category_id)
    await store.public_items()

    await store.send("PUT", f"/menu/categories/{category_id}", {"is_active": False})
    hidden = await public_view.get_public_menu(store.id)
    await store.send("PUT", f"/menu/categories/{category_id}", {"is_active": True})

    assert not hidden.items[soup["id"]].is_on_menu
    assert await store.public_items() == ["Soup"]


async def test_large_menus_are_the_same(store, monkeypatch):
    await store.item("Soup", variations=[{"name": "Small", "price": 3}])
    small = await public_view.get_public_menu(store.id)
    snapshot._snapshots.clear()
    monkeypatch.setattr(snapshot, "MAX_ITEMS_ON_LOOP", 0)
    monkeypatch.setattr(queries, "MAX_CHARACTERS_ON_LOOP", 0)

    large = await public_view.get_public_menu(store.id)

    assert (large.public, large.etag, large.items) == (small.public, small.etag, small.items)


@pytest.fixture
def limited(monkeypatch):
    """Return a function that bounds an empty cache."""

    def limit(mebibytes):
        settings = runtime_module.settings().model_copy(update={"menu_cache_mebibytes": mebibytes})
        monkeypatch.setattr(runtime_module, "settings", lambda: settings)

    monkeypatch.setattr(snapshot, "_snapshots", LRUCache(math.inf, snapshot._estimate_bytes))
    return limit


async def test_least_recently_read_menus_are_dropped(owner, limited):
    limited(1)
    stores = [await owner.store() for _ in range(2 + 2**20 // snapshot.TERMS_BYTES)]
    first, second, *others = stores

    for store_id in (first, second, first, *others):
        await snapshot.get_snapshot(store_id, 1)

    assert len(snapshot._snapshots) == 2**20 // (snapshot.TERMS_BYTES + 2 * snapshot.BYTES_PER_PUBLIC_BYTE)
    assert second not in snapshot._snapshots
    assert list(snapshot._snapshots)[-1] == stores[-1]


async def test_menu_that_is_larger_than_the_cache_is_served_and_not_kept(store, limited, monkeypatch):
    limited(1)
    monkeypatch.setattr(snapshot, "TERMS_BYTES", 2**21)
    await store.item("Soup")

    assert await store.public_items() == ["Soup"]
    assert len(snapshot._snapshots) == 0


async def test_participants_are_loaded_for_orders_and_not_for_the_public_menu(store, limited):
    limited(1)
    await store.item("Soup")

    shown = await public_view.get_public_menu(store.id, with_participants=False)
    kept_for_orders = snapshot.get_cached_snapshot(store.id)
    priced = await snapshot.get_snapshot(store.id, shown.version)

    assert shown.terms.parts == {}
    assert kept_for_orders is None
    assert priced.terms.parts["takeaway"]
    assert priced.items is shown.items  # the menu was not loaded again
    assert await public_view.get_public_menu(store.id, with_participants=False) is priced
    assert snapshot.get_cached_snapshot(store.id) is priced
