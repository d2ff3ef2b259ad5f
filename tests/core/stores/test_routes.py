"""Routes of stores."""

import pytest
from comanda.devkit.testing.stores import TestStore


async def test_a_list_is_cut_into_pages_of_twenty(store, owner):
    ids = [await owner.store() for _ in range(20)]

    first = await store.send_to("/api/v1/restaurants")
    second = await store.send_to("/api/v1/restaurants?page=2")
    beyond = await store.send_to("/api/v1/restaurants?page=3")
    crooked = await store.send_to("/api/v1/restaurants?page=-1")

    assert [row["id"] for row in first["data"]] == ids[::-1]
    assert [row["id"] for row in second["data"]] == [store.id]
    assert (second["current_page"], second["last_page"], second["total"]) == (2, 2, 21)
    assert (beyond["data"], beyond["current_page"], beyond["total"]) == ([], 3, 21)
    assert crooked["current_page"] == 1


async def test_an_owner_without_stores_gets_one_empty_page(client, other_owner):
    reply = await TestStore(client, other_owner, 0).send_to("/api/v1/restaurants")

    assert (reply["data"], reply["last_page"], reply["total"]) == ([], 1, 0)


@pytest.mark.parametrize("path", ["", "/settings", "/menu", "/orders"])
async def test_a_store_of_another_owner_looks_missing(store, client, other_owner, path):
    stranger = TestStore(client, other_owner, store.id)

    assert (await stranger.send("GET", path)).status == 404
