"""The order of categories and items."""

from comanda.menu.changes.positions import place


def test_listed_ids_trade_the_places_that_they_hold():
    assert place([1, 2, 3, 4, 5], [4, 2]) == [1, 4, 3, 2, 5]


async def test_items_and_categories_take_the_new_order(store, published):
    food, drinks = await store.category("Food"), await store.category("Drinks")
    made = [(await store.item(name, category_id=food))["id"] for name in ("A", "B", "C")]
    before = len(await published())

    items = await store.send("PUT", "/menu/positions", {"item_ids": [made[2], made[0], made[1]]})
    categories = await store.send("PUT", "/menu/positions", {"category_ids": [drinks, food]})
    again = await store.send("PUT", "/menu/positions", {"category_ids": [drinks, food]})

    assert (items["moved_count"], again["moved_count"]) == (3, 0)
    assert categories.status == 200
    menu = (await store.get("/menu")).document
    assert [category["name"] for category in menu if category["id"] in {food, drinks}] == ["Drinks", "Food"]
    assert await store.public_items() == ["C", "A", "B"]
    assert {data["entity"] for _, data in (await published())[before:]} == {"item", "category"}


async def test_items_of_two_categories_are_refused(store):
    ids = [(await store.item(name, category_id=await store.category(name)))["id"] for name in ("A", "B")]

    reply = await store.send("PUT", "/menu/positions", {"item_ids": ids})

    assert (reply.status, reply.errors) == (422, {"item_ids": ["All items must be of one category."]})
