"""Fields of bouquets."""


async def test_bouquet_fields_are_validated(shop):
    assert shop.bouquet["season_months"] == [5, 6]
    body = {"name": "Odd", "price": 1, "category_id": shop.bouquet["category_id"]}

    refused = await shop.send("POST", "/menu/items", {**body, "stem_count": -1, "season_months": [13]})

    assert refused.errors == {
        "stem_count": ["Must be 0 or more."],
        "season_months.0": ["Must be 12 or less."],
    }
    assert await shop.public_items() == ["Peonies"]
