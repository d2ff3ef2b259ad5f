"""Tools that read menus."""


async def test_menu_includes_items_hidden_from_guests(agent, store):
    soups = await store.category("Soups")
    await store.item("Minestrone", 7.5, category_id=soups, is_sold_out=True, variations=[{"name": "Big", "price": 9}])

    document = await agent.call("get_menu")

    assert document == {"restaurant_id": store.id, "categories": (await store.get("/menu")).document}
    assert document["categories"][0]["items"][0]["is_sold_out"] is True
    await store.send("PUT", f"/menu/categories/{soups}", {"name": "Broths"})
    assert [each["name"] for each in (await agent.call("get_menu"))["categories"]] == ["Broths"]


async def test_categories_are_listed_with_item_counts(agent, store):
    soups, sweets = await store.category("Soups", position=2), await store.category("Sweets", is_active=False)
    await store.item("Minestrone", category_id=soups)

    assert await agent.call("list_categories", {"restaurant_id": store.id}) == {
        "restaurant_id": store.id,
        "categories": [
            {"id": sweets, "name": "Sweets", "position": 0, "is_active": False, "items_count": 0},
            {"id": soups, "name": "Soups", "position": 2, "is_active": True, "items_count": 1},
        ],
    }
