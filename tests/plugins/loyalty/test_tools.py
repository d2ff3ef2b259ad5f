"""The MCP tool about points."""


async def test_my_points_matches_api(mcp, ada, paid_order):
    agent = mcp("/mcp/customer", {"Authorization": f"Bearer {ada.token}"})

    assert await agent.call("my_points") == (await ada.send("GET", "/loyalty")).document
