"""Which spellings are the same brand, and the slugs of brands."""


async def test_letter_case_spacing_and_width_are_ignored(shop, list_brands):
    spellings = ["Luzia Lux", "LUZIA  lux", "Luzia\u00a0Lux", "Luzia Lux"]
    made = [await shop.item(f"Lamp {number}", brand=brand) for number, brand in enumerate(spellings)]

    assert await list_brands(shop) == [("Luzia Lux", 4)]
    assert [item["brand"] for item in made] == spellings


async def test_similar_names_get_different_slugs(shop):
    for number, name in enumerate(("Café", "Cafe!", "カメラ", "Камера")):
        await shop.item(f"Thing {number}", brand=name)

    slugs = {brand["name"]: brand["slug"] for brand in (await shop.get("/brands"))["data"]}

    assert slugs["Café"] == "cafe"
    assert slugs["Cafe!"].startswith("cafe-")
    assert slugs["カメラ"] == "brand"
    assert slugs["Камера"].startswith("brand-")
    assert len(set(slugs.values())) == 4


async def test_longest_and_strangest_names_fit(shop, list_brands):
    # A ligature of eighteen letters: what a name is compared by may be longer than the name.
    for number, name in enumerate(("ﷺ" * 255, "\U0001f9d1" * 255, "ΐ" * 255)):
        await shop.item(f"Thing {number}", brand=name)

    assert sorted(await list_brands(shop)) == sorted([("ﷺ" * 255, 1), ("\U0001f9d1" * 255, 1), ("ΐ" * 255, 1)])
