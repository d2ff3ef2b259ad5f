"""Search of menu items."""

import pytest


@pytest.fixture
def found(guest, menu):
    """List the names of the items that a search finds."""

    async def search(**arguments):
        result = await guest.call("search_menu", arguments)
        assert result["total"] >= len(result["items"])
        return [item["name"] for item in result["items"]]

    return search


async def test_search_ignores_accents_and_ranks_matches(found):
    assert await found(query="creme BRULEE") == ["Crème brûlée"]
    assert await found(query="tomato") == ["Tomato soup", "Tomato tart"]
    assert await found(query="basil") == ["Basil pasta", "Tomato soup"]
    assert await found(query="tomato tart") == ["Tomato tart"]
    assert await found(query="soup") == ["Tomato soup", "Soupe à l'oignon"]
    assert await found(query="%") == await found()


async def test_partial_matches_have_a_message(guest, menu):
    result = await guest.call("search_menu", {"query": "basil unicorn"})

    assert [item["name"] for item in result["items"]] == ["Basil pasta", "Tomato soup"]
    assert [(each["type"], each["code"]) for each in result["messages"]] == [("info", "partial_match")]
    nothing = await guest.call("search_menu", {"query": "unicorn"})
    assert (nothing["items"], nothing["total"], nothing["messages"]) == ([], 0, [])


async def test_diet_and_price_filter_items(found):
    assert await found(dietary=["vegan"]) == ["Tomato soup", "Basil pasta"]
    assert await found(dietary=["vegan", "halal"]) == ["Basil pasta"]
    assert await found(max_price=5) == ["Tomato soup", "Tomato tart"]
    assert await found(query="tomato", max_price=4.99) == ["Tomato tart"]
    assert await found(max_price=0) == []
    assert len(await found(limit=2)) == 2


async def test_sold_out_items_are_found_on_request(guest, menu, found):
    assert await found(query="fish") == []
    result = await guest.call("search_menu", {"query": "fish", "in_stock": False})
    assert [(item["name"], item["is_sold_out"], item["category"]) for item in result["items"]] == [
        ("Fish", True, "Mains")
    ]
