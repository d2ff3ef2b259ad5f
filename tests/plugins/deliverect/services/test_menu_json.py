"""Amounts and taxes as Deliverect writes them."""

import pytest


@pytest.mark.parametrize(("rate", "tax"), [(9, 9000), (5.5, 5500), (0, 0)])
async def test_tax_has_three_decimals(store, rate, tax):
    await store.send("PUT", "/settings", {"tax_rate": rate})

    await store.send("POST", "/deliverect/menu", {})

    (soup,) = store.fake.menus[-1]["products"]
    assert {soup[name] for name in ("deliveryTax", "takeawayTax", "eatInTax")} == {tax}
    assert soup["price"] == 500


async def test_inactive_items_are_left_out(store):
    tea = await store.item("Tea", 2)
    await store.send("PUT", f"/menu/items/{tea['id']}", {"is_active": False})

    await store.send("POST", "/deliverect/menu", {})

    assert [product["name"] for product in store.fake.menus[-1]["products"]] == ["Soup"]
