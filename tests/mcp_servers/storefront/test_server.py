"""The server for guests."""


async def test_token_without_scope_sees_no_menu_tools(agents, owner, store):
    ordering = await agents.storefront(owner, store.id, "agent", "order:write")

    assert sorted(await ordering.tools()) == ["place_order", "track_order"]
    error = await ordering.error("get_menu")
    assert (error["code"], error["data"]["required"]) == (-32003, "menu:read")


async def test_other_tokens_are_refused(agents, owner, store):
    plain = await agents.storefront(owner, store.id, "menu:read", "order:write")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    assert (await plain.post(message)).status_code == 403
    assert (await agents.public("/mcp/storefront").post(message, **owner.auth)).status_code == 401
    assert (await agents.public("/mcp/storefront").post(message)).status_code == 401
