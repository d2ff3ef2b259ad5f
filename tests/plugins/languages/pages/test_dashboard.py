"""The pages on which an owner translates a menu."""


async def test_owner_writes_texts_beside_those_of_the_menu(bistro, dashboard):
    path = f"/stores/{bistro.id}/menu/languages"
    before = await dashboard.get(f"{path}/de")

    location = await dashboard.post(
        f"{path}/de?state=missing",
        {"source-0": "Soups", "before-0": "", "text-0": " Suppen ", "source-1": "Cream", "before-1": "", "text-1": ""},
    )

    assert 'name="source-1" value="Tomato soup"' in before
    assert location.partition("?")[2] == "state=missing"
    assert 'value="Suppen"' in await dashboard.get(f"{path}/de")
    assert 'value="Soups"' not in await dashboard.get(f"{path}/de?state=missing")
    assert 'value="1" max="6"' in await dashboard.get(path)


async def test_a_draft_that_was_looked_at_is_checked(bistro, dashboard):
    await bistro.translate({"Soups": "Suppen", "Cream": "Sahne"}, is_checked=False)
    path = f"/stores/{bistro.id}/menu/languages/de"
    seen = {"source-0": "Soups", "before-0": "Suppen", "text-0": "Suppen", "is_checked-0": "true"}

    await dashboard.post(path, {**seen, "source-1": "Cream", "before-1": "Sahne", "text-1": "Sahne"})

    assert [each["source"] for each in await bistro.list_texts("?state=unchecked")] == ["Cream"]


async def test_what_was_typed_stays_when_it_is_refused(bistro, dashboard):
    fields = {
        "source-0": "Soups",
        "before-0": "",
        "text-0": "Suppen",
        "source-1": "Gone",
        "before-1": "",
        "text-1": "Weg",
    }

    page = await dashboard.post(f"/stores/{bistro.id}/menu/languages/de", fields, status=422)

    assert "This text does not stand on the menu." in page
    assert 'value="Suppen"' in page
