"""What the server tells about this installation: only what is installed, and the nearest chapter first."""

import dataclasses

import pytest
from comanda import runtime as runtime_module
from comanda.runtime import Runtime
from comanda_mcp_dev.services.chapters import IndexedChapter, split_chapter
from comanda_mcp_dev.services.search_index import SearchIndex, list_stems


async def test_the_server_is_open_and_has_these_tools(agent):
    assert {"learn_platform", "search_docs", "fetch_full_doc", "get_liquid_reference"} < set(await agent.tools())
    assert list(await agent.tools())[:1] == ["learn_platform"]


async def test_the_seven_tools_of_the_specification_are_there_and_only_read(agent):
    tools = await agent.tools()

    assert set(tools) == {
        "learn_platform", "search_docs", "fetch_full_doc", "get_liquid_reference", "get_section_schema",
        "validate_theme", "list_webhook_events",
    }  # fmt: skip
    assert {tool["annotations"]["readOnlyHint"] for tool in tools.values()} == {True}


async def test_pages_of_other_hosts_may_not_ask_until_the_operator_names_them(client):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    response = await client.post("/mcp/dev", json=message, headers={"Origin": "https://editor.example"})

    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers


async def test_learning_tells_what_is_installed(agent, runtime):
    told = await agent.call("learn_platform")

    restaurant = next(one for one in told["store_types"] if one["store_type"] == "restaurant")
    assert restaurant["fulfillment_modes"] == ["on-table", "takeaway", "delivery", "room_service"]
    assert {"name": "dev", "url": "http://comanda.test/mcp/dev", "callers": [], "scope": None}.items() <= next(
        one for one in told["servers"] if one["name"] == "dev"
    ).items()
    assert {"kind": "owner", "prefix": "own_", "header": "Authorization: Bearer <token>"} in told["authentication"]
    assert [plugin["name"] for plugin in told["plugins"]] == [plugin.name for plugin in runtime.registry.plugins]
    declared = {plugin["name"]: plugin["declares"] for plugin in told["plugins"]}
    assert declared["restaurant"]["vertical"] == ["restaurant"]
    assert not any("table" in one or "task" in one for one in declared.values())
    assert [chapter["name"] for chapter in told["chapters"]] == [*runtime.registry.docs, "endpoints"]
    assert told["addresses"]["openapi"] == "http://comanda.test/api/v1/openapi.json"
    assert told["next"][0] == {
        "tool": "fetch_full_doc",
        "arguments": {"id": "start"},
        "why": "Read this chapter first.",
    }


async def test_with_a_topic_only_its_chapters_are_told_and_where_to_look(agent):
    told = await agent.call("learn_platform", {"topic": "verify the signature of webhooks"})

    assert told["chapters"][0]["name"] == "webhooks"
    assert len(told["chapters"]) <= 6
    assert told["next"][0]["arguments"] == {"query": "verify the signature of webhooks"}


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
async def test_a_question_finds_its_chapter_first(agent, query, chapter):
    found = await agent.call("search_docs", {"query": query})

    assert found["chunks"][0]["chapter"] == chapter, [chunk["id"] for chunk in found["chunks"]]


async def test_chunks_come_best_first_with_ids_that_name_their_place(agent):
    found = await agent.call("search_docs", {"query": "errors envelope", "limit": 3})

    scores = [chunk["score"] for chunk in found["chunks"]]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert found["chunks"][0]["id"] == "api#errors"
    assert found["chunks"][0]["heading"] == "Errors"


async def test_letter_case_and_accents_make_no_difference(agent):
    plain = await agent.call("search_docs", {"query": "menu"})

    assert await agent.call("search_docs", {"query": "MÉNU"}) == plain


async def test_words_that_nobody_wrote_find_nothing(agent):
    assert await agent.call("search_docs", {"query": "zyxwvut qqqq"}) == {"chunks": []}
    assert await agent.call("search_docs", {"query": "?!"}) == {"chunks": []}


async def test_a_chunk_leads_to_its_whole_chapter(agent, runtime):
    chapter = runtime.registry.docs["orders"]

    for id in ("orders", "orders#statuses", "docs/guide/orders", "/docs/guide/orders"):
        found = await agent.call("fetch_full_doc", {"id": id})
        assert (found["name"], found["title"], found["text"]) == ("orders", "Orders", chapter.text)
    assert found["url"] == "http://comanda.test/docs/guide/orders"


@pytest.mark.parametrize(
    "id",
    [
        "no-such",
        "orders#no-such",
        "../orders",
        "/etc/passwd",
        "docs/orders.md",
        "../../pyproject.toml",
        "orders\u0000",
        ".",
    ],
)
async def test_what_is_no_chapter_is_not_found(agent, id):
    refused = await agent.refused("fetch_full_doc", {"id": id})

    assert refused["code"] == "not_found"
    assert "text" not in refused


async def test_the_endpoints_are_those_of_the_routes(agent):
    found = await agent.call("fetch_full_doc", {"id": "endpoints"})

    assert "- `GET /api/v1/menu/{restaurantId}` (no token): " in found["text"]
    assert "- `POST /api/v1/restaurants/{id}/orders` (owner token, scope `orders:write`): " in found["text"]


async def test_chapters_of_plugins_that_are_not_installed_are_not_found(agent, runtime):
    without = {name: chapter for name, chapter in runtime.registry.docs.items() if name != "car-parts"}
    runtime_module.use(Runtime(runtime.settings, dataclasses.replace(runtime.registry, docs=without)))
    try:
        found = await agent.call("search_docs", {"query": "which vehicles does a part fit", "limit": 20})
        refused = await agent.refused("fetch_full_doc", {"id": "car-parts"})
    finally:
        runtime_module.use(runtime)

    assert "car-parts" not in {chunk["chapter"] for chunk in found["chunks"]}
    assert refused["code"] == "not_found"


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("search_docs", {}, "query"),
        ("search_docs", {"query": ""}, "query"),
        ("search_docs", {"query": "x" * 301}, "query"),
        ("search_docs", {"query": "orders", "limit": 21}, "limit"),
        ("fetch_full_doc", {"id": 7}, "id"),
        ("fetch_full_doc", {"path": "orders"}, "path"),
        ("learn_platform", {"topic": ["x"]}, "topic"),
        ("get_liquid_reference", {"kind": "macro"}, "kind"),
    ],
)
async def test_arguments_that_do_not_fit_are_told_by_name(agent, name, arguments, field):
    refused = await agent.refused(name, arguments)

    assert refused["code"] == "validation_failed"
    assert field in refused["errors"]


def test_a_chapter_is_cut_at_headings_but_not_within_code():
    text = "Before.\n\n## One\nA\n\n```\n## not a heading\n\nstill code\n```\n\n### Two\nB\n\n## One\nC\n"
    found = list(split_chapter(IndexedChapter("d", "D", "", text)))

    assert [(chunk.id, chunk.heading) for chunk in found] == [
        ("d#start", ""),
        ("d#one", "One"),
        ("d#two", "Two"),
        ("d#one-2", "One"),
    ]
    assert found[1].text == "A\n\n```\n## not a heading\n\nstill code\n```"


def test_a_long_text_is_cut_between_paragraphs():
    text = "## Long\n" + "\n\n".join(f"{number} " + "word " * 100 for number in range(10))
    found = list(split_chapter(IndexedChapter("d", "D", "", text)))

    assert [chunk.id for chunk in found] == ["d#long", "d#long-2", "d#long-3", "d#long-4", "d#long-5"]
    assert all(len(chunk.text) < 2000 for chunk in found)


def test_words_are_compared_without_their_endings():
    assert list(list_stems("Categories, category; retries & retry")) == ["category", "category", "retry", "retry"]
    assert len(set(list_stems("price prices priced pricing"))) == 1
    assert list(list_stems("on-table order_id Größe")) == ["on", "tabl", "order", "id", "gross"]


def test_an_index_of_nothing_finds_nothing():
    assert SearchIndex([]).search("anything", 5) == []
