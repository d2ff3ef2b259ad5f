"""Deletion of what a plugin's rows refer to by a foreign key."""

import pytest
from comanda.platform.db import sql


@pytest.fixture
async def refer(owner):
    """Refer to rows of a table by the foreign key of a plugin, which says what happens when they are deleted."""
    made = []

    async def to(table, row_id, on_delete):
        await sql.execute(
            f"""CREATE TABLE stall_link (row_id bigint NOT NULL, owner_id bigint NOT NULL,
                FOREIGN KEY (row_id, owner_id) REFERENCES {table} (id, owner_id) ON DELETE {on_delete})"""
        )
        made.append(table)
        await sql.execute("INSERT INTO stall_link (row_id, owner_id) VALUES ($1, $2)", row_id, owner.id)

    yield to
    await sql.execute("DROP TABLE stall_link")


@pytest.mark.parametrize("on_delete", ["RESTRICT", "NO ACTION"])
async def test_deletion_of_an_item_in_use_answers_409(store, refer, on_delete):
    item = await store.item("Soup", 5)
    await refer("core_menu_item", item["id"], on_delete)

    refused = await store.send("DELETE", f"/menu/items/{item['id']}")

    assert refused.status == 409
    expected = {
        "message": "Soup cannot be deleted because stall still refers to it.",
        "code": "conflict",
        "reason": "in_use",
        "used_by": "stall",
    }
    assert {name: refused.document[name] for name in expected} == expected
    assert (await store.get(f"/menu/items/{item['id']}")).document["name"] == "Soup"


async def test_an_item_is_deleted_with_rows_that_cascade(store, refer):
    item = await store.item("Soup", 5)
    await refer("core_menu_item", item["id"], "CASCADE")

    assert (await store.send("DELETE", f"/menu/items/{item['id']}")).status == 204
    assert await sql.fetch_value("SELECT count(*) FROM stall_link") == 0


async def test_deletion_of_a_category_in_use_answers_409(store, refer):
    category = (await store.send("POST", "/menu/categories", {"name": "Soups"})).document
    await refer("core_menu_category", category["id"], "RESTRICT")

    refused = await store.send("DELETE", f"/menu/categories/{category['id']}")

    assert (refused.status, refused.document["used_by"]) == (409, "stall")


async def test_removal_of_a_variation_in_use_answers_409(store, refer):
    item = await store.item("Pizza", 9, variations=[{"name": "Small", "price": 8}, {"name": "Large", "price": 12}])
    small, large = item["variations"]
    await refer("core_variant", large["id"], "RESTRICT")

    refused = await store.send("PUT", f"/menu/items/{item['id']}", {"variations": [small]})

    assert (refused.status, refused.document["used_by"]) == (409, "stall")
    assert len((await store.get(f"/menu/items/{item['id']}")).document["variations"]) == 2
