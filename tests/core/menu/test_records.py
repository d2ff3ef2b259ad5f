"""Records of items."""

from comanda.devkit.testing.stores import TestStore
from menus import CHOICES, PIZZA


async def test_food_item_has_food_fields_only(store):
    made = await store.item("Soup", brand="Acme", stock=3)

    assert {"id", "name", "price", "is_sold_out", "is_popular", "is_vegan", "is_halal", "calories"} <= made.keys()
    assert (made["is_vegan"], made["is_halal"], made["calories"]) == (False, False, None)
    assert not {"brand", "stock", "variants_count"} & made.keys()


async def test_goods_item_has_brand_stock_and_variants_count(bazaar):
    made = await bazaar.item("Lamp", brand=" Acme ", stock=3, is_vegan=True, calories=800, variations=[])

    assert (made["brand"], made["stock"], made["variants_count"]) == ("Acme", 3, 0)
    assert not {"is_vegan", "is_halal", "calories"} & made.keys()
    guests = (await bazaar.public_menu())[0]["items"][0]
    assert (guests["brand"], guests["stock"], guests["variants_count"]) == ("Acme", 3, 0)
    assert not {"is_vegan", "is_halal", "calories"} & guests.keys()


async def test_amounts_have_the_currencys_decimals(client, owner):
    yen = TestStore(client, owner, await owner.store(currency="JPY"))
    dinar = TestStore(client, owner, await owner.store(currency="KWD"))

    assert (await yen.item("Ramen", 900))["price"] == 900
    assert (await dinar.item("Machboos", 2.125))["price"] == 2.125
    refused = await yen.send("POST", "/menu/items", {"name": "R", "price": 9.5, "category_id": await yen.category()})
    assert refused.errors == {"price": ["An amount in JPY has no decimals."]}


async def test_public_item_has_price_variations_and_extras(store):
    made = await store.item(**PIZZA, **CHOICES)

    (category,) = await store.public_menu()

    assert category.keys() == {"id", "name", "items"}
    assert category["items"][0].items() <= made.items()
    owners_alone = {"category_id", "compare_at_price", "tax_rate", "sold_out_until", "is_active", "position"}
    assert made.keys() - category["items"][0].keys() == owners_alone
