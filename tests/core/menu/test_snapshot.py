"""Cached snapshots of menus."""

from cachetools import LRUCache
from comanda.db import sql
from comanda.menu import snapshot


async def test_changes_by_other_processes_are_seen(store):
    soup = await store.item("Soup")
    assert await store.public_items() == ["Soup"]
    await sql.execute("UPDATE core_menu_item SET name = 'Broth' WHERE id = $1", soup["id"])
    kept = await store.public_items()
    await sql.execute("UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1", store.id)

    assert kept == ["Soup"]  # a version that is kept costs no load
    assert await store.public_items() == ["Broth"]


async def test_least_recently_read_menus_are_dropped(owner, monkeypatch):
    monkeypatch.setattr(snapshot, "_snapshots", LRUCache(2))
    first, second, third = [await owner.store() for _ in range(3)]

    for store_id in (first, second, first, third):
        await snapshot.get_snapshot(store_id, 1)

    assert list(snapshot._snapshots) == [first, third]
