"""The texts that stand on a menu."""


async def test_texts_of_what_guests_do_not_see_yet_can_be_translated(bistro):
    hidden = await bistro.category("Winter menu", is_active=False)
    await bistro.item("Fondue", 20, category_id=hidden, is_active=False)

    sources = [each["source"] for each in await bistro.list_texts()]

    assert sources[-2:] == ["Winter menu", "Fondue"]


async def test_a_text_is_listed_where_it_stands_first(bistro):
    category = await bistro.category("Tomato soup")
    await bistro.item("Soups", 3, category_id=category)

    uses = {each["source"]: each["use"] for each in await bistro.list_texts()}

    assert (uses["Tomato soup"], uses["Soups"]) == ("item", "category")
