"""The pages of a store beside its first one."""

import pytest


@pytest.fixture
def read_page(store, get_slug):
    async def read_page(path):
        response = await store.client.get(f"/s/{await get_slug(store)}{path}")
        return response.status_code, await response.get_data(as_text=True)

    return read_page


async def test_item_and_category_have_pages(store, read_page):
    item = await store.item("Pizza <Margherita>", 9.5, description="Thin and hot")

    status, text = await read_page(f"/items/{item['id']}")
    assert status == 200
    assert "<title>Pizza &lt;Margherita&gt; · " in text
    assert 'content="Thin and hot"' in text
    assert "€9.50" in text
    status, text = await read_page(f"/categories/{item['category_id']}")
    assert status == 200
    assert "Pizza &lt;Margherita&gt;" in text


@pytest.mark.parametrize("path", ["/items/0", "/categories/0", "/items/99999999999999999999"])
async def test_unknown_subject_is_not_found(store, read_page, path):
    await store.item("Soup", 6)

    status, text = await read_page(path)

    assert status == 404
    assert "This page does not exist" in text


async def test_item_that_sold_out_is_not_found(store, read_page):
    item = await store.item("Soup", 6)
    await store.send("PATCH", f"/menu/items/{item['id']}/sold-out", {"is_sold_out": True})

    assert (await read_page(f"/items/{item['id']}"))[0] == 404


async def test_search_finds_words_without_accents(store, read_page):
    await store.item("Crème brûlée", 6)
    await store.item("Soup", 5, description="With cream")

    _, text = await read_page("/search?q=BRULEE%20creme")
    assert "1 found" in text
    assert ">Soup<" not in text
    _, text = await read_page("/search?q=%22%3E%3Cscript%3E")
    assert "0 found" in text
    assert "<script>" not in text


@pytest.mark.parametrize(
    ("store_type", "sentence"),
    [
        ("restaurant", "Search the menu"),
        ("retail", "Search products"),
        ("carparts", "Search parts"),
        ("laundry", "Search services"),
        ("hotel", "Search the menu"),
    ],
)
async def test_words_fit_the_store_type(open_store, get_page_text, store_type, sentence):
    shop = await open_store(store_type)
    await shop.item("Something", 5)

    assert f">{sentence}</label>" in await get_page_text(shop)
