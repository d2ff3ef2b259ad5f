"""The validation of brands and expiry dates."""

import pytest


@pytest.mark.parametrize("brand", ["x" * 256, 5, True, ["Amber"], {"name": "Amber"}])
async def test_invalid_brand_of_item_returns_422(shop, list_brands, brand):
    category_id = await shop.category()

    body = {"name": "Lamp", "price": 1, "category_id": category_id, "brand": brand}
    refused = await shop.send("POST", "/menu/items", body)

    assert refused.errors.keys() == {"brand"}
    assert (await shop.get("/menu"))[0]["items"] == []
    assert await list_brands(shop) == []


INVALID_BRANDS = [
    ({}, "name"),
    ({"name": " "}, "name"),
    ({"name": None}, "name"),
    ({"name": "x" * 256}, "name"),
    ({"name": "New", "slug": "Not A Slug"}, "slug"),
    ({"name": "New", "slug": "-new"}, "slug"),
    ({"name": "New", "slug": "new\n"}, "slug"),
    ({"name": "New", "slug": "x" * 101}, "slug"),
    ({"name": "New", "logo_url": "javascript:alert(1)"}, "logo_url"),
    ({"name": "aMBER"}, "name"),
    ({"name": "New", "slug": "amber"}, "slug"),
]


async def test_invalid_brand_returns_422(shop, list_brands, subtests):
    await shop.item("Lamp", brand="Amber")

    for body, field in INVALID_BRANDS:
        with subtests.test(body=body, field=field):
            refused = await shop.send("POST", "/brands", body)

            assert refused.errors.keys() == {field}
            assert await list_brands(shop) == [("Amber", 1)]


INVALID_DAYS = [
    "tomorrow",
    "2026-02-30",
    "31/07/2026",
    "",
    1785456000,
    20260731.5,
    True,
    "9999-12-31",
    "0001-01-01",
    ["2026-07-31"],
]


async def test_invalid_date_returns_422(perfumery, subtests):
    category_id = await perfumery.category()

    for day in INVALID_DAYS:
        with subtests.test(day=day):
            body = {"name": "Cream", "price": 9, "category_id": category_id, "expires_on": day}
            refused = await perfumery.send("POST", "/menu/items", body)

            assert refused.errors.keys() == {"expires_on"}
            assert (await perfumery.get("/menu"))[0]["items"] == []
