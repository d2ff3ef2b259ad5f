"""The MCP tool for sales reports."""

from comanda.devkit.testing import line


async def test_agent_gets_report_with_store_and_currency(shop, mcp, owner):
    await shop.place_order(line(shop.soup, 2))

    report = await mcp("/mcp", owner.auth).call("sales_report", {"from": "2030-05-10", "to": "2030-05-15"})

    expected = await shop.report("from=2030-05-10&to=2030-05-15")
    assert report == {"restaurant_id": shop.id, "currency": "EUR", **expected}
    assert report["revenue"]["gross"] == 20


async def test_default_period_is_last_thirty_days(shop, mcp, owner):
    report = await mcp("/mcp", owner.auth).call("sales_report", {})

    assert report["range"] == {"from": "2030-04-16", "to": "2030-05-15"}


async def test_refusals_name_field(shop, mcp, owner, other_owner):
    agent = mcp("/mcp", owner.auth)
    theirs = await other_owner.store()

    assert "from" in (await agent.refused("sales_report", {"from": "2030-05-16"}))["errors"]
    assert "from" in (await agent.refused("sales_report", {"from": "2020-01-01"}))["errors"]
    assert (await agent.refused("sales_report", {"restaurant_id": theirs}))["code"] == "not_found"


async def test_tool_requires_scope(shop, mcp, owner):
    for scopes, is_there in ((("analytics:read",), True), (("read",), True), (("orders:read",), False)):
        tools = await mcp("/mcp", await owner.token_with(*scopes)).tools()
        assert ("sales_report" in set(tools)) == is_there
