"""Tools of the catalog."""

import pytest


@pytest.mark.parametrize("arguments", [{}, {"slug": "x", "id": 1}])
async def test_store_requires_slug_or_id(public, arguments):
    assert list((await public.refused("get_store", arguments))["errors"]) == ["slug"]


async def test_results_have_ten_stores_with_ten_items(public, new_store):
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
