"""The MCP tool that lists the events."""

import pytest


async def test_events_have_schema_and_fitting_sample(mcp, runtime):
    found = await mcp("/mcp/dev").call("list_webhook_events")

    assert [event["name"] for event in found["events"]] == sorted(runtime.registry.events)
    for event in found["events"]:
        kind = runtime.registry.events[event["name"]]
        assert (event["scope"], event["sample"]) == (kind.scope, dict(kind.sample))
        assert set(event["sample"]) <= set(event["data_schema"]["properties"]), event["name"]
        assert event["description"]


@pytest.mark.parametrize("group", ["order", "order.*"])
async def test_events_are_filtered_by_group(mcp, runtime, group):
    found = await mcp("/mcp/dev").call("list_webhook_events", {"group": group})

    names = [event["name"] for event in found["events"]]
    assert names == sorted(name for name in runtime.registry.events if name.startswith("order."))
    assert {"order.created", "order.status_changed"} <= set(names)
    assert {"menu", "order", "ping"} <= set(found["groups"])


async def test_star_lists_all_events(mcp):
    agent = mcp("/mcp/dev")

    assert await agent.call("list_webhook_events", {"group": "*"}) == await agent.call("list_webhook_events")


@pytest.mark.parametrize("group", ["pigeon", "", "order.created", "order.*.*"])
async def test_unknown_group_returns_not_found(mcp, group):
    assert (await mcp("/mcp/dev").refused("list_webhook_events", {"group": group}))["code"] == "not_found"
