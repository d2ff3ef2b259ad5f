"""Matching of imported menus with a store's read_menu."""

from menus import import_menu, read_menu, to_counts


async def test_items_are_matched_by_sku(store):
    await import_menu(store)
    before = (await read_menu(store))[0]["items"][0]
    renamed = {"name": "Queen", "variations": [{"name": "Big", "price": 13, "sku": "M-L"}]}

    done = await import_menu(store, [{"name": "Specials", "items": [renamed]}])

    assert to_counts(done) == (0, 1, 0, 0)
    assert done["changes"][1]["fields"] == ["category_id", "name", "variations"]
    pizza, _, specials = sorted(await read_menu(store), key=lambda category: category["id"])
    (item,) = specials["items"]
    assert (item["id"], item["name"], item["price"]) == (before["id"], "Queen", 9.5)
    assert [(each["id"], each["name"], each["price"]) for each in item["variations"]] == [
        (before["variations"][0]["id"], "Big", 13), (before["variations"][1]["id"], "Small", 7),
    ]  # fmt: skip
    assert [each["name"] for each in pizza["items"]] == ["Marinara"]


async def test_two_variants_exchange_their_skus(store):
    def menu(first, second):
        variants = [{"name": "A", "price": 1, "sku": first}, {"name": "B", "price": 2, "sku": second}]
        return [{"name": "Goods", "items": [{"name": "Lamp", "price": 3, "variations": variants}]}]

    await import_menu(store, menu("X", "Y"))

    done = await import_menu(store, menu("Y", "X"))

    # By their SKUs they are the same variants under each other's names and prices.
    assert to_counts(done) == (0, 1, 0, 0)
    names = [(each["name"], each["price"]) for each in (await read_menu(store))[0]["items"][0]["variations"]]
    assert names == [("B", 2), ("A", 1)]


async def test_a_sku_of_another_item_is_named(store):
    await import_menu(store)
    variants = [{"name": "X", "price": 1, "sku": "M-L"}, {"name": "Y", "price": 1, "sku": "N"}]
    await import_menu(store, [{"name": "A", "items": [{"name": "B", "price": 1, "variations": variants[1:]}]}])

    refused = await import_menu(store, [{"name": "A", "items": [{"name": "B", "variations": variants}]}])

    assert refused.errors == {"menu.0.items.0.variations.1.sku": ["The SKU N belongs to B."]}
