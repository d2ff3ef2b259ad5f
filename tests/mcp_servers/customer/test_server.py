"""The server for customers."""


async def test_other_tokens_are_refused(agents, owner, store):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    guest = await agents.storefront(owner, store.id)

    assert (await agents.public("/mcp/customer").post(message, **owner.auth)).status_code == 401
    assert (await agents.public("/mcp/customer").post(message, **guest._headers)).status_code == 401
    assert (await agents.public("/mcp/customer").post(message)).status_code == 401
