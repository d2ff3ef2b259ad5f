"""The public menu: availability and caching by clients."""

import pytest
from comanda.platform.db import sql


async def test_unchanged_menu_returns_304(store, client):
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
async def test_unknown_store_has_no_public_menu(client, given):
    response = await client.get(f"/api/v1/menu/{given}")

    assert (response.status_code, (await response.get_json())["code"]) == (404, "not_found")


async def test_suspended_owner_has_no_public_menu(store, owner):
    await store.item("Soup")
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    response = await store.client.get(f"/api/v1/menu/{store.id}")

    assert response.status_code == 404
