"""MCP tools about customers."""


async def test_my_profile_matches_api(agent, ada):
    assert await agent.call("my_profile") == await ada.get("/me")


async def test_owner_agent_lists_and_gets_customers(mcp, owner, ada, store):
    agent = mcp("/mcp", owner.auth)

    listed = await agent.call("list_customers", {"search": "LOVELACE"})
    shown = await agent.call("get_customer", {"customer_id": ada.id})

    assert [one["id"] for one in listed["data"]] == [ada.id]
    assert shown == (await store.get(f"/customers/{ada.id}")).document
    await owner.store()
    refused = await agent.refused("list_customers")
    assert len(refused["choices"]) == 2
    assert (await agent.call("list_customers", {"restaurant_id": store.id}))["total"] == 1
