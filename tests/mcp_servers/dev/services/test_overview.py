"""The overview of an installation."""


async def test_overview_has_what_is_installed(agent, runtime):
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


async def test_topic_limits_chapters_and_suggests_search(agent):
    told = await agent.call("learn_platform", {"topic": "verify the signature of webhooks"})

    assert told["chapters"][0]["name"] == "webhooks"
    assert len(told["chapters"]) <= 6
    assert told["next"][0]["arguments"] == {"query": "verify the signature of webhooks"}
