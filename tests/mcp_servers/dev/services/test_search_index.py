"""Search of the documentation."""

import pytest
from comanda_mcp_dev.services.search_index import SearchIndex, list_stems


@pytest.mark.parametrize(
    ("query", "chapter"),
    [
        ("idempotency key of a repeated request", "api"),
        ("error codes and status", "api"),
        ("rate limit headers", "api"),
        ("which scopes does a token need", "tokens"),
        ("revoke a token", "tokens"),
        ("opening hours of a store", "stores"),
        ("tax rate and service charge settings", "stores"),
        ("mark an item as sold out", "menus"),
        ("extra groups with free extras", "menus"),
        ("change the status of an order", "orders"),
        ("rounding of tax and spreading a coupon", "pricing"),
        ("verify webhook signature", "webhooks"),
        ("retry of failed deliveries to my endpoint", "webhooks"),
        ("MCP protocol version", "agents"),
        ("first steps", "start"),
        ("theme section schema settings", "themes"),
        ("which vehicles does a part fit", "car-parts"),
    ],
)
async def test_question_finds_its_chapter_first(agent, query, chapter):
    found = await agent.call("search_docs", {"query": query})

    assert found["chunks"][0]["chapter"] == chapter, [chunk["id"] for chunk in found["chunks"]]


async def test_chunks_are_ranked_and_have_ids(agent):
    found = await agent.call("search_docs", {"query": "errors envelope", "limit": 3})

    scores = [chunk["score"] for chunk in found["chunks"]]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert found["chunks"][0]["id"] == "api#errors"
    assert found["chunks"][0]["heading"] == "Errors"


async def test_search_ignores_case_and_accents(agent):
    plain = await agent.call("search_docs", {"query": "menu"})

    assert await agent.call("search_docs", {"query": "MÉNU"}) == plain


async def test_unknown_words_find_nothing(agent):
    assert await agent.call("search_docs", {"query": "zyxwvut qqqq"}) == {"chunks": []}
    assert await agent.call("search_docs", {"query": "?!"}) == {"chunks": []}


def test_stems_ignore_endings():
    assert list(list_stems("Categories, category; retries & retry")) == ["category", "category", "retry", "retry"]
    assert len(set(list_stems("price prices priced pricing"))) == 1
    assert list(list_stems("on-table order_id Größe")) == ["on", "tabl", "order", "id", "gross"]


def test_empty_index_finds_nothing():
    assert SearchIndex([]).search("anything", 5) == []
