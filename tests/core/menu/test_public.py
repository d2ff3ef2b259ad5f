"""The public menu: for whom it is there, and how it is kept and refreshed."""

from collections import OrderedDict

import pytest
from comanda.db import sql
from comanda.menu import snapshot


async def test_a_menu_that_did_not_change_answers_304_to_those_who_have_it(store, client):
    soup = await store.item("Soup")
    path = f"/api/v1/menu/{store.id}"
    first = await client.get(path)
    tag = first.headers["ETag"]

    same = await client.get(path, headers={"If-None-Match": tag})
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})
    changed = await client.get(path, headers={"If-None-Match": tag})

    assert tag.startswith('W/"')
    assert (same.status_code, await same.get_data()) == (304, b"")
    assert changed.status_code == 200
    assert (await changed.get_json())[0]["items"][0]["price"] == 6
    assert changed.headers["ETag"] != tag


@pytest.mark.parametrize("given", ["0", "999999999", "abc", "-1", "1.5", "%00", "9" * 40])
async def test_a_store_that_is_not_there_has_no_menu(client, given):
    response = await client.get(f"/api/v1/menu/{given}")

    assert (response.status_code, (await response.get_json())["code"]) == (404, "not_found")


async def test_a_suspended_owners_menu_is_gone(store, owner):
    await store.item("Soup")
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    response = await store.client.get(f"/api/v1/menu/{store.id}")

    assert response.status_code == 404


async def test_a_change_by_another_process_is_seen_at_the_next_read(store):
    soup = await store.item("Soup")
    assert await store.public_items() == ["Soup"]
    await sql.execute("UPDATE core_menu_item SET name = 'Broth' WHERE id = $1", soup["id"])
    kept = await store.public_items()
    await sql.execute("UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1", store.id)

    assert kept == ["Soup"]  # a version that is kept costs no load
    assert await store.public_items() == ["Broth"]


async def test_a_process_keeps_the_menus_that_were_read_last(owner, monkeypatch):
    monkeypatch.setattr(snapshot, "MAX_SNAPSHOTS", 2)
    monkeypatch.setattr(snapshot, "_kept", OrderedDict())
    first, second, third = [await owner.store() for _ in range(3)]

    for store_id in (first, second, first, third):
        await snapshot.get_snapshot(store_id, 1)

    assert list(snapshot._kept) == [first, third]
