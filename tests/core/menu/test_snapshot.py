"""Cached snapshots of menus."""

import asyncio
import math

import pytest
from cachetools import LRUCache
from comanda.menu import public_view, queries, snapshot
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
