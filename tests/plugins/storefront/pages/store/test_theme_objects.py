"""The contents of a store's page."""

import re

import orjson
import pytest
from comanda.menu import public_view


async def test_full_menu_is_readable_without_scripts(store, get_page_text):
    group = {"name": "On top", "min": 0, "max": 3, "free_count": 1, "extras": [{"name": "Capers", "price": 1.5}]}
    await store.item("Pizza", 9.5, description="Thin and hot", extra_groups=[group], is_vegan=True, calories=800)

    text = await get_page_text(store)

    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))
    for said in (
        "Pizza",
        "Thin and hot",
        "€9.50",
        "On top (choose up to 3, 1 free): Capers +€1.50",
        "Vegan",
        "800 kcal",
    ):
        assert said in words
    assert "Ordering on this page needs JavaScript" in words


async def test_a_combo_of_summed_up_prices_costs_at_least_its_cheapest_choices(store, get_page_text):
    items = [await store.item("Pizza", 10), await store.item("Pasta", 8), await store.item("Soup", 4)]
    extras = [{"name": each["name"], "item_id": each["id"]} for each in items]
    groups = [{"name": "Any two", "min": 2, "item_discount": 25, "extras": extras}]
    await store.item("Deal", 0, extra_groups=groups)
    await store.item("Lunch", 15, extra_groups=[{"name": "Main", "min": 1, "extras": extras}])

    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", await get_page_text(store)))

    assert re.search(r"Deal.*from €9\.00.*Lunch.*€15\.00", words, re.IGNORECASE)
    assert "€0.00" not in words.replace("+€0.00", "")


async def test_text_of_owners_is_escaped(store, update_settings, get_page_outline):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{ 7*7 }}"
    await store.item(evil, description=evil, extra_groups=[{"name": evil, "extras": [{"name": evil, "price": 0}]}])
    await update_settings(store, title=evil, address=evil)

    page = await get_page_outline(store)

    assert (page.open, page.unclosed) == ([], [])
    assert len(page.all("script")) == 3
    assert page.all("img") == [each for each in page.all("img") if each.get("src") != "x"]
    assert evil in page.words
    data = orjson.loads(page.words[page.words.index(next(each for each in page.words if '"slug"' in each))])
    assert data["items"][0]["name"] == evil


async def test_page_has_headings_labels_and_alt_texts(store, get_page_outline):
    await store.item("Soup", image_url="http://comanda.test/soup.jpg", is_vegan=True)

    page = await get_page_outline(store)

    assert page.tags[0] == ("html", {"lang": "en", "dir": "ltr"})
    assert [tag for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)][:3] == ["h1", "h2", "h3"]
    assert len(page.all("main")) == 1
    labelled = {each["for"] for each in page.all("label") if "for" in each}
    assert {each["id"] for each in page.all("input", "textarea") if "id" in each} <= labelled
    assert [each["alt"] for each in page.all("img")] == ["Soup"]
    ids = [each["id"] for _, each in page.tags if "id" in each]
    assert len(ids) == len(set(ids))


async def test_sold_out_and_hidden_items_are_omitted(store, get_page_text):
    await store.item("Soup", is_sold_out=True)
    await store.item("Ghost", is_active=False)
    await store.item("Bread")

    text = await get_page_text(store)

    assert "Bread" in text
    assert "Soup" not in text
    assert "Ghost" not in text
    assert (await public_view.get_public_menu(store.id)).items


async def test_closed_store_shows_opening_time(store, clock, get_page_text, update_settings):
    hours = {"monday": [{"open": "09:00", "close": "17:00"}], "exceptions": []}
    days = ("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    await update_settings(store, timezone="UTC", hours={**hours, **{day: [] for day in days}})
    clock.advance(days=(7 - clock().weekday()) % 7, hours=-clock().hour + 20)

    assert re.search(r"Closed</span> Opens Mon \d+ \w+, 09:00", await get_page_text(store))


async def test_store_without_items_says_so(store, get_page_text):
    assert "There is nothing on the menu at the moment." in await get_page_text(store)


@pytest.mark.parametrize("store_type", ["restaurant", "pharmacy", "laundry", "hotel", "carparts"])
async def test_every_store_type_has_page_with_order_types(open_store, store_type, get_page_outline):
    shop = await open_store(store_type)
    await shop.item("Thing")

    page = await get_page_outline(shop)

    data = orjson.loads(next(each for each in page.words if '"slug"' in each))
    codes = {
        "restaurant": ["on-table", "takeaway", "delivery"],
        "pharmacy": ["in_store", "pickup_slot", "ship", "delivery"],
    }
    assert data["items"][0]["name"] == "Thing"
    assert codes.get(store_type) in (None, [mode["code"] for mode in data["modes"]])
