"""Dietary information of items."""

import pytest


async def test_items_have_dietary_information(store):
    plain = await store.item("Bread")
    salad = await store.item("Salad", is_vegan=True, is_halal=True, calories="180")

    dietary = ("is_vegan", "is_halal", "calories")
    assert [plain[name] for name in dietary] == [False, False, None]
    assert [salad[name] for name in dietary] == [True, True, 180]
    changed = await store.send("PUT", f"/menu/items/{salad['id']}", {"is_vegan": False, "calories": None})
    assert [changed[name] for name in dietary] == [False, True, None]
    guests = {item["name"]: item for category in await store.public_menu() for item in category["items"]}
    assert [guests["Salad"][name] for name in dietary] == [False, True, None]


@pytest.mark.parametrize("field", ["brand", "stock", "variants_count"])
async def test_items_have_no_goods_fields(store, field):
    assert field not in await store.item("Bread", brand="Acme", stock=3)
