"""Pages of items and categories with counts."""


async def names(store, query=""):
    return [item["name"] for item in (await store.get(f"/menu/items{query}"))["data"]]


async def test_items_are_listed_by_category_and_position(store):
    second = await store.category("Drinks", position=2)
    first = await store.category("Food", position=1)
    await store.item("Water", category_id=second)
    await store.item("Salad", category_id=first, position=2)
    await store.item("Soup", category_id=first, position=1)

    page = await store.get("/menu/items?per_page=2")

    assert [item["name"] for item in page["data"]] == ["Soup", "Salad"]
    assert (page["total"], page["last_page"]) == (3, 2)
    assert await names(store, "?per_page=2&page=2") == ["Water"]
    assert await names(store, f"?category_id={second}") == ["Water"]


async def test_items_are_found_by_words_and_skus(store):
    soup = await store.item("Crème brûlée", description="With vanilla")
    await store.item("Salad")
    await store.send("POST", f"/menu/items/{soup['id']}/variants", {"name": "Big", "price": 4, "sku": "CB-01"})

    assert await names(store, "?search=creme+van") == ["Crème brûlée"]
    assert await names(store, "?search=cb-0") == ["Crème brûlée"]
    assert await names(store, "?search=%25") == []
    assert await names(store, "?search=soup") == []


async def test_availability_filters_and_counts(store):
    category = await store.category("Food")
    soup = await store.item("Soup", category_id=category, is_sold_out=True)
    await store.item("Salad", category_id=category, is_active=False, is_sold_out=True)
    await store.item("Bread", category_id=category)

    assert await names(store, "?availability=sold_out") == ["Soup"]
    assert await names(store, "?availability=hidden") == ["Salad"]
    assert await names(store, "?availability=available") == ["Bread"]
    counts = next(each for each in (await store.get("/menu/categories")).document if each["id"] == category)
    assert (counts["items_count"], counts["hidden_count"], counts["sold_out_count"]) == (3, 1, 1)
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": False})
    assert await names(store, "?availability=sold_out") == []
