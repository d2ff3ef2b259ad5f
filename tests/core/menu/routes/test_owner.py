"""Categories: creation, changes, visibility and deletion."""

import asyncio

import pytest
from comanda.devkit.testing.stores import TestStore, line


async def test_category_changes_emit_menu_updated(store, published):
    added = await store.send("POST", "/menu/categories", {"name": "  Pasta  ", "position": 3})
    category_id = added["id"]
    changed = await store.send("PUT", f"/menu/categories/{category_id}", {"name": "Primi"})
    deleted = await store.send("DELETE", f"/menu/categories/{category_id}")

    assert (added.status, added.document) == (
        201,
        {"id": category_id, "name": "Pasta", "position": 3, "is_active": True},
    )
    assert (changed.status, changed.document) == (200, {**added.document, "name": "Primi"})
    assert (deleted.status, deleted.document) == (204, None)
    assert (await store.get("/menu")).document == []
    data = {"restaurant_id": store.id, "entity": "category", "id": category_id}
    assert await published() == [
        ("menu.updated", {**data, "change": change}) for change in ("created", "updated", "deleted")
    ]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "Pasta", "position": -1}, "position"),
        ({"name": "Pasta", "position": True}, "position"),
        ({"name": "Pasta", "is_active": "maybe"}, "is_active"),
    ],
)
async def test_invalid_categories_are_refused(store, published, body, field):
    refused = await store.send("POST", "/menu/categories", body)

    assert refused.errors.keys() == {field}
    assert (await store.get("/menu")).document == []
    assert await published() == []


async def test_categories_are_sorted_by_position_then_age(store):
    for name, position in (("C", 2), ("B", 1), ("A", 2)):
        await store.category(name, position=position)

    assert [category["name"] for category in (await store.get("/menu")).document] == ["B", "C", "A"]
    assert [category["name"] for category in await store.public_menu()] == ["B", "C", "A"]


async def test_inactive_category_hides_its_items(store):
    category_id = await store.category("Breakfast")
    eggs = await store.item("Eggs", category_id=category_id)
    await store.send("PUT", f"/menu/categories/{category_id}", {"is_active": False})

    owners = (await store.get("/menu")).document
    refused = await store.place(line(eggs))

    assert [(row["name"], row["is_active"], len(row["items"])) for row in owners] == [("Breakfast", False, 1)]
    assert await store.public_menu() == []
    assert refused.errors == {"items.0.item_id": ["Eggs is not on the menu now."]}

    await store.send("PUT", f"/menu/categories/{category_id}", {"is_active": True})
    assert await store.public_items() == ["Eggs"]
    assert (await store.place(line(eggs))).status == 201


async def test_a_category_with_items_cannot_be_deleted(store, published):
    category_id = await store.category("Pasta")
    await store.item("Penne", category_id=category_id)
    await store.item("Fusilli", category_id=category_id)
    before = await published()

    refused = await store.send("DELETE", f"/menu/categories/{category_id}")

    assert (refused.status, refused["code"], refused["items_count"]) == (409, "conflict", 2)
    assert refused["message"] == "Pasta still has 2 items."
    assert [row["id"] for row in (await store.get("/menu")).document] == [category_id]
    assert await published() == before


async def test_a_category_can_go_once_its_items_have(store):
    category_id = await store.category("Pasta")
    other_id = await store.category("Secondi")
    moved = await store.item("Penne", category_id=category_id)
    deleted = await store.item("Fusilli", category_id=category_id)
    await store.send("PUT", f"/menu/items/{moved['id']}", {"category_id": other_id})
    assert (await store.send("DELETE", f"/menu/categories/{category_id}"))["items_count"] == 1
    await store.send("DELETE", f"/menu/items/{deleted['id']}")

    assert (await store.send("DELETE", f"/menu/categories/{category_id}")).status == 204
    assert [row["name"] for row in (await store.get("/menu")).document] == ["Secondi"]


@pytest.mark.parametrize(("method", "body"), [("PUT", {"name": "Mine"}), ("DELETE", None)])
async def test_category_of_other_store_or_owner_is_404(store, owner, client, other_owner, method, body):
    category_id = await store.category("Pasta")
    sister = TestStore(client, owner, await owner.store())
    stranger = TestStore(client, other_owner, await other_owner.store())
    intruder = TestStore(client, other_owner, store.id)

    for elsewhere in (sister, stranger, intruder):
        assert (await elsewhere.send(method, f"/menu/categories/{category_id}", body)).status == 404
    assert [row["name"] for row in (await store.get("/menu")).document] == ["Pasta"]


async def test_parallel_item_creation_and_category_deletion_are_consistent(store):
    for _ in range(10):
        category_id = await store.category("Fleeting")
        body = {"name": "Soup", "price": 1, "category_id": category_id}
        *added, deleted = await asyncio.gather(
            *(store.send("POST", "/menu/items", body) for _ in range(3)),
            store.send("DELETE", f"/menu/categories/{category_id}"),
        )

        outcomes = {reply.status for reply in added}
        if deleted.status == 204:
            assert outcomes == {422}
        else:
            assert (deleted.status, outcomes <= {201, 422}) == (409, True)
        counted = sum(reply.status == 201 for reply in added)
        found = [row for row in (await store.get("/menu")).document if row["id"] == category_id]
        assert [len(row["items"]) for row in found] == ([] if deleted.status == 204 else [counted])
