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


async def test_equal_names_are_told_apart_by_their_skus(store, send_csv, client):
    def part(sku, price):
        return {"name": "Brake pads", "price": price, "variations": [{"name": sku, "price": price, "sku": sku}]}

    menu = [{"name": "Brakes", "items": [part("TR-1", 10), part("TR-2", 20), {"name": "Brake pads", "price": 30}]}]
    await import_menu(store, menu)
    before = await read_menu(store)
    path = f"/api/v1/restaurants/{store.id}/menu/export?format=csv"
    raw = await (await client.get(path, headers=store.owner.auth)).get_data()

    again, as_csv = await import_menu(store, menu), await send_csv(store, raw)
    menu[0]["items"] = [part("TR-3", 40), *menu[0]["items"]]
    more = await import_menu(store, menu)

    assert [item["price"] for item in before[0]["items"]] == [10, 20, 30]
    assert to_counts(again) == to_counts(as_csv) == (0, 0, 3, 0)
    assert to_counts(more) == (1, 0, 3, 0)
    assert sorted(item["price"] for item in (await read_menu(store))[0]["items"]) == [10, 20, 30, 40]


async def test_equal_names_without_sku_are_told_apart_by_their_variants(store):
    lamp = {"name": "Lamp", "price": 1, "variations": [{"name": "Blue", "price": 1, "sku": "L"}]}
    await import_menu(store, [{"name": "A", "items": [lamp, {"name": "Lamp", "price": 2}]}])
    lamp["variations"][0]["sku"] = "M"

    done = await import_menu(store, [{"name": "A", "items": [{"name": "Lamp", "price": 2}, lamp]}])

    assert to_counts(done) == (0, 1, 1, 0)
