"""Texts of a menu in other languages: what guests read, what is missing, and what changes with the menu."""

import asyncio

from comanda.devkit.testing import line
from comanda_languages.services import texts

GERMAN = {
    "Soups": "Suppen",
    "Tomato soup": "Tomatensuppe",
    "With basil": "Mit Basilikum",
    "Large": "Groß",
    "Toppings": "Beilagen",
    "Cream": "Sahne",
}


def list_names(menu):
    return [item["name"] for category in menu for item in category["items"]]


async def test_menu_is_read_in_a_language(bistro):
    before = await bistro.public_menu()

    saved = await bistro.translate(GERMAN)

    (category,) = await bistro.read_menu()
    (item,) = category["items"]
    assert (saved["texts"], saved["translated"], saved["unchecked"]) == (6, 6, 0)
    assert (category["name"], item["name"], item["description"]) == ("Suppen", "Tomatensuppe", "Mit Basilikum")
    assert (item["variations"][0]["name"], item["extra_groups"][0]["name"]) == ("Groß", "Beilagen")
    assert item["extra_groups"][0]["extras"][0]["name"] == "Sahne"
    assert await bistro.public_menu() == before
    assert await bistro.read_menu("fr") == before


async def test_what_has_no_text_stays_as_it_is(bistro):
    await bistro.translate({"Soups": "Suppen"})

    (category,) = await bistro.read_menu()

    assert (category["name"], category["items"][0]["name"]) == ("Suppen", "Tomato soup")


async def test_orders_keep_the_names_of_the_menu(bistro):
    await bistro.translate(GERMAN)

    order = await bistro.order(line(bistro.soup), table_number="1", type="on-table")

    assert order["items"][0]["name"].startswith("Tomato soup")


async def test_missing_texts_are_listed_in_the_order_of_the_menu(bistro):
    await bistro.translate({"Tomato soup": "Tomatensuppe"})

    missing = await bistro.list_texts("?state=missing")
    found = await bistro.list_texts("?search=tomatens")

    assert [(each["source"], each["use"]) for each in missing] == [
        ("Soups", "category"), ("With basil", "description"), ("Large", "variation"), ("Toppings", "extra_group"),
        ("Cream", "extra"),
    ]  # fmt: skip
    assert [each["source"] for each in found] == ["Tomato soup"]


async def test_a_text_that_stands_twice_is_translated_once(bistro):
    await bistro.item("Pumpkin soup", 7, extra_groups=[{"name": "Toppings", "extras": [{"name": "Cream"}]}])

    await bistro.translate({"Cream": "Sahne"})

    listed = await bistro.list_texts()
    groups = [item["extra_groups"][0] for category in await bistro.read_menu() for item in category["items"]]
    assert [each["source"] for each in listed].count("Cream") == 1
    assert [group["extras"][0]["name"] for group in groups] == ["Sahne", "Sahne"]


async def test_a_name_that_changes_has_no_text_until_it_comes_back(bistro):
    await bistro.translate({"Tomato soup": "Tomatensuppe"})
    path = f"/menu/items/{bistro.soup['id']}"

    await bistro.send("PUT", path, {"name": "Red soup"})
    renamed = list_names(await bistro.read_menu())
    await bistro.send("PUT", path, {"name": "Tomato soup"})

    assert renamed == ["Red soup"]
    assert list_names(await bistro.read_menu()) == ["Tomatensuppe"]


async def test_changes_of_the_menu_are_in_the_next_answer(bistro):
    await bistro.translate(GERMAN)
    bread = await bistro.item("Bread", 2)
    with_bread = await bistro.read_menu()
    await bistro.send("PUT", f"/menu/items/{bread['id']}", {"price": 3})
    dearer = await bistro.read_menu()
    await bistro.send("PATCH", f"/menu/items/{bistro.soup['id']}/sold-out", {"is_sold_out": True})

    assert list_names(with_bread) == ["Tomatensuppe", "Bread"]
    assert [category["items"][0]["price"] for category in dearer] == [6, 3]
    assert list_names(await bistro.read_menu()) == ["Bread"]


async def test_drafts_are_shown_and_listed_until_somebody_has_looked(bistro):
    await bistro.translate({"Soups": "Suppen", "Cream": "Sahne"}, is_checked=False)
    drafts = await bistro.list_texts("?state=unchecked")

    saved = await bistro.translate({"Soups": "Suppen"})

    assert {each["source"] for each in drafts} == {"Soups", "Cream"}
    assert (await bistro.read_menu())[0]["name"] == "Suppen"
    assert [each["source"] for each in await bistro.list_texts("?state=unchecked")] == ["Cream"]
    assert (saved["translated"], saved["unchecked"]) == (2, 1)


async def test_an_empty_text_removes_what_there_is(bistro):
    await bistro.translate({"Soups": "Suppen", "Cream": "Sahne"})

    await bistro.translate({"Soups": None, "Cream": ""})

    assert [each["translation"] for each in await bistro.list_texts()] == [None] * 6
    assert (await bistro.read_menu())[0]["name"] == "Soups"


async def test_texts_saved_at_once_are_all_there(bistro):
    names = [f"Dish {number}" for number in range(8)]
    for name in names:
        await bistro.item(name)

    replies = await asyncio.gather(
        *(bistro.translate({name: f"Gericht {name[-1]}", "Cream": "Sahne"}) for name in names)
    )

    assert [reply.status for reply in replies] == [200] * 8
    assert list_names(await bistro.read_menu())[1:] == [f"Gericht {number}" for number in range(8)]


async def test_texts_that_no_longer_stand_on_the_menu_go_when_they_are_many(bistro, monkeypatch):
    await bistro.translate({"Tomato soup": "Tomatensuppe", "Soups": "Suppen"})
    path = f"/menu/items/{bistro.soup['id']}"
    await bistro.send("PUT", path, {"name": "Red soup"})
    monkeypatch.setattr(texts, "MAX_ROWS", 2)

    await bistro.translate({"Red soup": "Rote Suppe"})

    await bistro.send("PUT", path, {"name": "Tomato soup"})
    (category,) = await bistro.read_menu()
    assert (category["name"], list_names([category])) == ("Suppen", ["Tomato soup"])


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
