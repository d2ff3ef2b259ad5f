"""Changes to many items at once."""

from datetime import UTC, datetime


async def test_items_change_together_and_each_is_announced(store, published):
    soup, salad = await store.item("Soup"), await store.item("Salad")
    other = await store.category("Other")
    ids = [salad["id"], soup["id"]]
    until = "2099-01-01T06:00:00+00:00"
    before = len(await published())

    reply = await store.send(
        "PATCH", "/menu/items", {"item_ids": ids, "category_id": other, "until": until, "tax_rate": 7}
    )

    assert (reply.status, reply.document) == (200, {"items_count": 2})
    for item_id in ids:
        item = (await store.get(f"/menu/items/{item_id}")).document
        assert (item["category_id"], item["is_sold_out"], item["tax_rate"]) == (other, True, 7)
        assert datetime.fromisoformat(item["sold_out_until"]) == datetime(2099, 1, 1, 6, tzinfo=UTC)
    assert await store.public_items() == []
    assert [data["id"] for _, data in (await published())[before:]] == sorted(ids)


async def test_item_of_another_store_changes_nothing(store, owner, client):
    soup = await store.item("Soup")
    foreign = await type(store)(client, owner, await owner.store()).item("Foreign")
    both = {"item_ids": [soup["id"], foreign["id"]]}

    hidden = await store.send("PATCH", "/menu/items", {**both, "is_active": False})
    deleted = await store.send("POST", "/menu/items/delete", both)

    assert [reply.status for reply in (hidden, deleted)] == [422, 422]
    assert hidden.errors == {"item_ids.1": [f"No such id in this store: {foreign['id']}."]}
    assert await store.public_items() == ["Soup"]


async def test_deleted_items_are_gone_and_orders_keep_their_names(store):
    soup, salad = await store.item("Soup"), await store.item("Salad", variations=[{"name": "Big", "price": 9}])
    order = await store.order({"item_id": soup["id"], "quantity": 1})

    reply = await store.send("POST", "/menu/items/delete", {"item_ids": [soup["id"], salad["id"]]})

    assert reply.document == {"items_count": 2}
    assert await store.public_items() == []
    assert (await store.get(f"/orders/{order['id']}"))["items"][0]["name"] == "Soup"
