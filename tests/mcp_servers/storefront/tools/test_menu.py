"""The tool that reads the menu."""


async def test_menu_is_what_guests_see(guest, store, menu):
    page = await guest.call("get_menu")

    assert page["categories"] == await store.public_menu()
    assert [(each["name"], each["items_count"]) for each in page["headings"]] == [("Soups", 2), ("Mains", 3)]
    assert (page["currency"], page["total"], page["current_page"], page["last_page"]) == ("EUR", 5, 1, 1)


async def test_menu_change_shows_in_next_call(guest, store, menu):
    await guest.call("get_menu")
    await store.send("PATCH", f"/menu/items/{menu['Tomato soup']['id']}/sold-out", {})

    page = await guest.call("get_menu", {"category": "soups"})

    assert [item["name"] for each in page["categories"] for item in each["items"]] == ["Soupe à l'oignon"]


async def test_long_menu_has_pages_of_50(guest, store):
    first, second = await store.category("First"), await store.category("Second", position=1)
    for number in range(53):
        await store.item(f"Dish {number}", category_id=first if number < 48 else second)

    one, two, three = [await guest.call("get_menu", {"page": page}) for page in (1, 2, 3)]

    assert [(each["name"], len(each["items"])) for each in one["categories"]] == [("First", 48), ("Second", 2)]
    assert [(each["name"], len(each["items"])) for each in two["categories"]] == [("Second", 3)]
    assert (three["categories"], three["last_page"], three["total"]) == ([], 2, 53)
    assert [each["items_count"] for each in two["headings"]] == [48, 5]


async def test_unknown_category_lists_choices(guest, store, menu):
    soups = menu["Tomato soup"]["category_id"]
    for name in ("SOUPS", str(soups)):
        assert [each["id"] for each in (await guest.call("get_menu", {"category": name}))["categories"]] == [soups]

    refused = await guest.refused("get_menu", {"category": "Desserts"})

    assert list(refused["errors"]) == ["category"]
    assert [each["name"] for each in refused["choices"]] == ["Soups", "Mains"]
