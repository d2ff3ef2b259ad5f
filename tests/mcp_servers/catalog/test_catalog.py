"""What anybody's agent finds: listed stores and what they sell, in words and cities, without what is the owner's."""

import pytest
from comanda.db import sql


async def everything(public, tool, arguments):
    """Turn all pages, as other tests left stores of their own."""
    found, page, has_more = [], 1, True
    while has_more:
        result = await public.call(tool, {**arguments, "page": page})
        found += result["stores"]
        page, has_more = page + 1, result["has_more"]
    assert len(found) == len({store["id"] for store in found})
    return found


@pytest.fixture
def public(agents):
    return agents.public("/mcp/catalog")


@pytest.fixture
async def lisbon(new_store):
    """A listed store in Lisbon that sells a soup and a cake."""
    store = await new_store(title="Tasca do Zé Ørsted")
    settings = {"address": "Rua 1, 1200-310 Lisboa", "country": "PT", "phone": "+351 21 555 0140"}
    await store.send("PUT", "/settings", settings)
    soups = await store.category("Caldos quentes")
    await store.item("Açorda verdinha", 6.5, category_id=soups, is_vegan=True, description="Bread & coriander.")
    await store.item("Bolo-rei mágico", 4, variations=[{"name": "Slice", "price": 1.2}], is_popular=True)
    return store


@pytest.fixture
def stores(public, owner):
    """List the ids of this owner's stores that a search finds."""

    async def search(**arguments):
        mine = {row["id"] for row in await sql.fetch("SELECT id FROM core_store WHERE owner_id = $1", owner.id)}
        return [store["id"] for store in await everything(public, "search_stores", arguments) if store["id"] in mine]

    return search


@pytest.fixture
def items(public, lisbon):
    """List the items of the store in Lisbon that a search finds."""

    async def search(query, **arguments):
        stores = await everything(public, "search_items", {"query": query, **arguments})
        return [item for store in stores if store["id"] == lisbon.id for item in store["items"]]

    return search


@pytest.fixture
def names(items):
    """List the names of the items of the store in Lisbon that a search finds."""

    async def search(query, **arguments):
        return [item["name"] for item in await items(query, **arguments)]

    return search


async def test_a_store_is_shown_without_contact_data(public, lisbon, owner):
    detail = (await lisbon.get()).document

    by_slug = await public.call("get_store", {"slug": detail["slug"]})
    by_id = await public.call("get_store", {"id": lisbon.id})

    assert by_slug == by_id
    assert by_id == {
        **{name: detail[name] for name in ("id", "title", "slug", "url", "store_type", "currency", "timezone")},
        "label": "Restaurant", "address": "Rua 1, 1200-310 Lisboa", "country": "PT", "is_open": True,
        "next_open_at": None, "closes_at": None, "hours": None, "categories": ["Caldos quentes", "For Bolo-rei mágico"],
        "modes": [
            {"code": "on-table", "label": "At the table"}, {"code": "takeaway", "label": "Takeaway"},
            {"code": "delivery", "label": "Delivery"}, {"code": "room_service", "label": "Room service"},
        ],
    }  # fmt: skip
    everything = str([by_id, await public.call("search_stores"), await public.call("search_items", {"query": "bolo"})])
    assert owner.email not in everything
    assert "555 0140" not in everything
    assert "phone" not in everything


@pytest.mark.parametrize("arguments", [{}, {"slug": "x", "id": 1}])
async def test_a_store_is_named_in_one_way(public, arguments):
    assert list((await public.refused("get_store", arguments))["errors"]) == ["slug"]


@pytest.mark.parametrize("keyword", ["ze", "TASCA", "tasca zé", "restau", "caldos", "zé quentes", "Tasca do Zé"])
async def test_stores_are_found_by_words_of_their_name_kind_and_categories(stores, lisbon, keyword):
    assert await stores(keyword=keyword) == [lisbon.id]


@pytest.mark.parametrize("keyword", ["asca", "tasca sushi", "' | '", "%", "_", "\\", "açorda"])
async def test_stores_are_not_found_by_other_words(stores, lisbon, keyword):
    assert await stores(keyword=keyword) == ([lisbon.id] if keyword in {"' | '", "%", "_", "\\"} else [])


async def test_a_city_is_found_in_whole_words(stores, lisbon, new_store):
    elsewhere = await new_store()

    assert await stores(city="LISBOA") == [lisbon.id]
    assert await stores(city="1200-310 Lisboa") == [lisbon.id]
    assert await stores(city="Lisb") == []
    assert set(await stores()) == {lisbon.id, elsewhere.id}


async def test_stores_of_that_name_stand_before_those_with_such_a_category(stores, lisbon, new_store):
    named = await new_store(title="Zzz Caldos")

    assert await stores(keyword="caldos") == [named.id, lisbon.id]


@pytest.mark.parametrize("change", [{"is_listed": False}, {"is_published": False}])
async def test_a_store_that_opted_out_is_nowhere(public, stores, names, lisbon, change):
    await lisbon.send("PUT", "/settings", change)

    assert await stores() == []
    assert await names("bolo") == []
    assert (await public.refused("get_store", {"id": lisbon.id}))["code"] == "not_found"


async def test_stores_of_a_suspended_owner_are_nowhere(public, stores, names, lisbon, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert await stores() == []
    assert await names("bolo") == []
    assert (await public.refused("get_store", {"id": lisbon.id}))["code"] == "not_found"


async def test_items_are_found_by_words_of_their_name_description_or_category(names):
    assert await names("acorda") == ["Açorda verdinha"]
    assert await names("coriander bread") == ["Açorda verdinha"]
    assert await names("caldos") == ["Açorda verdinha"]
    assert await names("bolo rei") == ["Bolo-rei mágico"]
    assert await names("acorda bolo") == []
    assert await names("corda") == []


async def test_diet_city_and_price_narrow_the_search_and_the_price_is_the_cheapest(names, items):
    assert await names("acorda", dietary=["vegan"]) == ["Açorda verdinha"]
    assert await names("acorda", dietary=["vegan", "halal"]) == []
    assert await names("magico", max_price=1.2, city="lisboa") == ["Bolo-rei mágico"]
    assert await names("magico", max_price=1.19) == []
    assert await names("magico", city="Porto") == []
    (cake,) = await items("magico")
    assert (cake["price"], cake["dietary"], cake["is_popular"]) == (1.2, [], True)
    assert [item["dietary"] for item in await items("acorda")] == [["vegan"]]


@pytest.mark.parametrize(("currency", "price", "too_low"), [("JPY", 500, 499), ("KWD", 1.255, 1.254)])
async def test_a_price_is_compared_in_the_currency_of_the_store(public, new_store, currency, price, too_low):
    store = await new_store(currency=currency)
    await store.item(f"Xylo{currency}", price)

    found = await public.call("search_items", {"query": f"xylo{currency}", "max_price": price})
    assert [each["items"][0]["price"] for each in found["stores"]] == [price]
    assert (await public.call("search_items", {"query": f"xylo{currency}", "max_price": too_low}))["stores"] == []


async def test_what_cannot_be_ordered_now_is_not_found(names, lisbon, clock):
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


async def test_goods_without_stock_and_past_their_day_are_not_found(public, new_store):
    store = await new_store("pharmacy")
    await store.item("Zinctab", stock=0)
    await store.item("Zinctab old", stock=5, expires_on="2020-01-01")
    await store.item("Zinctab new", stock=5, expires_on="2090-01-01")

    result = await public.call("search_items", {"query": "zinctab"})

    assert [item["name"] for each in result["stores"] for item in each["items"]] == ["Zinctab new"]


async def test_the_best_ten_of_a_store_and_ten_stores_a_page(public, new_store):
    for number in range(11):
        store = await new_store(title=f"Chain {number}")
        await store.item("Wobblecake")
    category = await store.category("Wobblecakes")
    for number in range(11):
        await store.item(f"Cake {number}", category_id=category)

    one, two = [await public.call("search_items", {"query": "wobblecake", "page": page}) for page in (1, 2)]

    assert (len(one["stores"]), one["has_more"], len(two["stores"]), two["has_more"]) == (10, True, 1, False)
    (last,) = [each for each in [*one["stores"], *two["stores"]] if each["id"] == store.id]
    assert (len(last["items"]), last["items"][0]["name"]) == (10, "Wobblecake")


@pytest.mark.parametrize("query", ["", "...", "%_'\\"])
async def test_a_search_of_items_needs_a_word(public, query):
    assert list((await public.refused("search_items", {"query": query}))["errors"]) == ["query"]


async def test_no_token_is_needed_and_a_foreign_page_may_not_ask(public):
    response = await public.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, Origin="https://shop.example")

    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers
    assert list(await public.tools()) == ["search_stores", "search_items", "get_store", "list_starter_menus"]
