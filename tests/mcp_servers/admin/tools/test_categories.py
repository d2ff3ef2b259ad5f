"""Tools for categories."""


async def test_categories_are_created_and_updated(agent, store, published):
    made = await agent.call("add_category", {"name": " Soups "})
    changed = await agent.call("update_category", {"category_id": made["id"], "is_active": False})

    assert made == {"id": made["id"], "name": "Soups", "position": 0, "is_active": True}
    assert changed == {**made, "is_active": False}
    assert [data["change"] for _, data in await published()] == ["created", "updated"]


async def test_only_empty_category_is_deleted(agent, store):
    soups = await store.category("Soups")
    item = await store.item(category_id=soups)

    refused = await agent.refused("delete_category", {"category_id": soups})
    assert (refused["code"], refused["items_count"]) == ("conflict", 1)
    assert len((await store.get("/menu")).document) == 1

    assert await agent.call("delete_menu_item", {"item_id": item["id"]}) == {"id": item["id"], "is_deleted": True}
    assert await agent.call("delete_category", {"category_id": soups}) == {"id": soups, "is_deleted": True}
    assert (await store.get("/menu")).document == []
    assert (await agent.refused("delete_category", {"category_id": soups}))["code"] == "not_found"
