"""The server for developers."""


async def test_server_is_public(agent):
    assert {"learn_platform", "search_docs", "fetch_full_doc", "get_liquid_reference"} < set(await agent.tools())
    assert list(await agent.tools())[:1] == ["learn_platform"]


async def test_other_origins_are_refused_by_default(client):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    response = await client.post("/mcp/dev", json=message, headers={"Origin": "https://editor.example"})

    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers
