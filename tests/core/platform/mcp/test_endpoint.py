"""Methods and batches of the endpoint."""

import pytest
from mcp_messages import PING, read_error

NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


HELLO = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "greet", "arguments": {"name": "A"}}}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
async def test_a_version_that_we_speak_is_echoed(agent, version):
    result = await agent.result("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {}})

    assert result["protocolVersion"] == version
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert result["instructions"] == "Start with greet."
    assert result["serverInfo"]["name"] == "comanda-office"
    assert result["serverInfo"]["title"] == "Office"
    assert result["serverInfo"]["version"]


@pytest.mark.parametrize("version", ["2026-07-28", "1", ""])
async def test_another_version_is_answered_with_our_latest(agent, version):
    assert (await agent.result("initialize", {"protocolVersion": version}))["protocolVersion"] == "2025-06-18"


@pytest.mark.parametrize("params", [{}, {"protocolVersion": 1}, {"protocolVersion": None}])
async def test_an_initialize_without_a_version_is_refused(agent, params):
    assert (await agent.request("initialize", params))["error"]["code"] == -32602


async def test_nothing_needs_an_initialize_and_nothing_is_remembered(agent):
    response = await agent.post(PING)

    assert await response.get_json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert "mcp-session-id" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    assert len(await agent.tools()) == 10


@pytest.mark.parametrize(
    "method", ["resources/list", "prompts/get", "server/discover", "tools", "", "rpc.x", "logging/setLevel"]
)
async def test_unknown_method_is_reported(agent, method):
    assert await read_error(await agent.post({**PING, "method": method})) == (200, -32601, 1)


@pytest.mark.parametrize(
    "message",
    [
        NOTE,
        {**NOTE, "method": "notifications/cancelled", "params": {"requestId": 1}},
        {**NOTE, "method": "notifications/never/heard/of"},
        {**NOTE, "params": []},
        {key: value for key, value in HELLO.items() if key != "id"},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        {"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
    ],
)
async def test_notification_gets_202(agent, calls, message):
    response = await agent.post(message)

    assert (response.status_code, await response.get_data()) == (202, b"")
    assert calls == []


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", None])
async def test_a_batch_is_answered_member_by_member(agent, version):
    if version is None:
        del agent._headers["MCP-Protocol-Version"]
    members = [PING, NOTE, {**PING, "id": "b", "method": "nope"}, 7, {**PING, "id": 3, "method": "initialize"}]
    response = await agent.post(members, **({} if version is None else {"MCP_Protocol_Version": version}))
    replies = await response.get_json()

    assert response.status_code == 200
    assert [(reply["id"], reply.get("error", {}).get("code")) for reply in replies] == [
        (1, None), ("b", -32601), (None, -32600), (3, -32600),
    ]  # fmt: skip


async def test_a_batch_of_notifications_gets_202(agent):
    response = await agent.post([NOTE, NOTE], MCP_Protocol_Version="2025-03-26")

    assert (response.status_code, await response.get_data()) == (202, b"")


async def test_one_bad_call_in_a_batch_leaves_the_others_alone(agent):
    explode = {**PING, "id": 2, "method": "tools/call", "params": {"name": "explode"}}
    response = await agent.post([explode, PING], MCP_Protocol_Version="2025-03-26")

    first, second = await response.get_json()
    assert (response.status_code, first["error"]["code"], second["result"]) == (200, -32603, {})


@pytest.mark.parametrize(
    ("members", "version"), [([], "2025-03-26"), ([PING] * 21, "2025-03-26"), ([PING], "2025-06-18")]
)
async def test_invalid_batch_is_rejected(agent, members, version):
    assert await read_error(await agent.post(members, MCP_Protocol_Version=version)) == (400, -32600, None)


async def test_twenty_in_a_batch_are_taken(agent):
    response = await agent.post([PING] * 20, MCP_Protocol_Version="2025-03-26")

    assert len(await response.get_json()) == 20


async def test_a_body_of_more_than_a_megabyte_is_refused(agent):
    response = await agent.post({**PING, "params": {"x": "y" * 1_048_576}})

    assert await read_error(response) == (413, -32600, None)
    assert (await response.get_json())["error"]["data"]["code"] == "payload_too_large"


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
async def test_there_is_no_stream_to_open_and_no_session_to_close(fair, owner, method):
    response = await fair.open("/agents", method=method, headers=owner.auth)

    assert (response.status_code, response.headers["Allow"]) == (405, "POST, OPTIONS")
    if method != "HEAD":
        assert (await response.get_json())["error"]["data"]["code"] == "method_not_allowed"


async def test_a_cursor_that_we_did_not_give_is_refused(agent):
    for cursor in ("x", 3, "ZnJvbTo5OQ==", "ZnJvbTow", "ZnJvbTotMQ==", "a" * 5000, "\u00e9"):
        reply = await agent.request("tools/list", {"cursor": cursor})
        assert reply.get("error", {}).get("code") == -32602, cursor
