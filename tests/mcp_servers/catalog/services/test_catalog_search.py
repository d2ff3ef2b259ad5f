"""Search of stores and items."""

import pytest
from comanda.platform.db import sql

from ..conftest import search_all_pages


@pytest.fixture
def stores(public, owner):
    """List the ids of this owner's stores that a search finds."""

    async def search(**arguments):
        mine = {row["id"] for row in await sql.fetch("SELECT id FROM core_store WHERE owner_id = $1", owner.id)}
        return [
            store["id"] for store in await search_all_pages(public, "search_stores", arguments) if store["id"] in mine
        ]

    return search


@pytest.fixture
def items(public, lisbon):
    """List the items of the store in Lisbon that a search finds."""

    async def search(query, **arguments):
        stores = await search_all_pages(public, "search_items", {"query": query, **arguments})
        return [item for store in stores if store["id"] == lisbon.id for item in store["items"]]

    return search


@pytest.fixture
def names(items):
    """List the names of the items of the store in Lisbon that a search finds."""

    async def search(query, **arguments):
        return [item["name"] for item in await items(query, **arguments)]

    return search


WORDS = ["ze", "TASCA", "tasca zé", "restau", "caldos", "zé quentes", "Tasca do Zé"]


async def test_stores_are_found_by_name_type_and_categories(stores, lisbon, subtests):
    for keyword in WORDS:
        with subtests.test(keyword=keyword):
            assert await stores(keyword=keyword) == [lisbon.id]


OTHER_WORDS = ["asca", "tasca sushi", "' | '", "%", "_", "\\", "açorda"]


async def test_stores_are_not_found_by_other_words(stores, lisbon, subtests):
    for keyword in OTHER_WORDS:
        with subtests.test(keyword=keyword):
            assert await stores(keyword=keyword) == ([lisbon.id] if keyword in {"' | '", "%", "_", "\\"} else [])


async def test_city_matches_whole_words(stores, lisbon, new_store):
    elsewhere = await new_store()

    assert await stores(city="LISBOA") == [lisbon.id]
    assert await stores(city="1200-310 Lisboa") == [lisbon.id]
    assert await stores(city="Lisb") == []
    assert set(await stores()) == {lisbon.id, elsewhere.id}


async def test_name_matches_rank_before_categories(stores, lisbon, new_store):
    named = await new_store(title="Zzz Caldos")

    assert await stores(keyword="caldos") == [named.id, lisbon.id]


@pytest.mark.parametrize("change", [{"is_listed": False}, {"is_published": False}])
async def test_unlisted_store_is_not_found(public, stores, names, lisbon, change):
    await lisbon.send("PUT", "/settings", change)

    assert await stores() == []
    assert await names("bolo") == []
    assert (await public.refused("get_store", {"id": lisbon.id}))["code"] == "not_found"


async def test_stores_of_suspended_owner_are_not_found(public, stores, names, lisbon, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert await stores() == []
    assert await names("bolo") == []
    assert (await public.refused("get_store", {"id": lisbon.id}))["code"] == "not_found"


async def test_items_are_found_by_name_description_or_category(names):
    assert await names("acorda") == ["Açorda verdinha"]
    assert await names("coriander bread") == ["Açorda verdinha"]
    assert await names("caldos") == ["Açorda verdinha"]
    assert await names("bolo rei") == ["Bolo-rei mágico"]
    assert await names("acorda bolo") == []
    assert await names("corda") == []


async def test_diet_city_and_price_filter_items(names, items):
    assert await names("acorda", dietary=["vegan"]) == ["Açorda verdinha"]
    assert await names("acorda", dietary=["vegan", "halal"]) == []
    assert await names("magico", max_price=1.2, city="lisboa") == ["Bolo-rei mágico"]
    assert await names("magico", max_price=1.19) == []
    assert await names("magico", city="Porto") == []
    (cake,) = await items("magico")
    assert (cake["price"], cake["dietary"], cake["is_popular"]) == (1.2, [], True)
    assert [item["dietary"] for item in await items("acorda")] == [["vegan"]]


@pytest.mark.parametrize(("currency", "price", "too_low"), [("JPY", 500, 499), ("KWD", 1.255, 1.254)])
async def test_price_is_compared_in_store_currency(public, new_store, currency, price, too_low):
    store = await new_store(currency=currency)
    await store.item(f"Xylo{currency}", price)

    found = await public.call("search_items", {"query": f"xylo{currency}", "max_price": price})
    assert [each["items"][0]["price"] for each in found["stores"]] == [price]
    assert (await public.call("search_items", {"query": f"xylo{currency}", "max_price": too_low}))["stores"] == []


async def test_unavailable_items_are_not_found(names, lisbon, clock):
    item = await lisbon.item("Quindim")
    for change, back in (
        ({"is_sold_out": True}, {"is_sold_out": False}), ({"is_active": False}, {"is_active": True}),
    ):  # fmt: skip
        await lisbon.send("PUT", f"/menu/items/{item['id']}", change)
        assert await names("quindim") == []
        await lisbon.send("PUT", f"/menu/items/{item['id']}", back)
        assert await names("quindim") == ["Quindim"]
    await lisbon.send("PUT", f"/menu/categories/{item['category_id']}", {"is_active": False})
    assert await names("quindim") == []
