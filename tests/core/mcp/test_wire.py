"""JSON-RPC over HTTP: messages, batches, versions and forms, as the protocol's three revisions have them."""

import json

import pytest

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}
HELLO = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "greet", "arguments": {"name": "A"}}}


async def told(response):
    """Return the status, the error's code and the id of an answer."""
    reply = await response.get_json()
    assert reply["jsonrpc"] == "2.0"
    return response.status_code, reply["error"]["code"], reply["id"]


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


@pytest.mark.parametrize("id", [0, -7, 2**63, "", "a", 'q"\\\n', "ü", "x" * 1000])
async def test_an_id_comes_back_as_it_was(agent, id):
    assert (await (await agent.post({**PING, "id": id})).get_json())["id"] == id


@pytest.mark.parametrize("id", [None, 1.5, 1.0, True, [], {}, 2**65])
async def test_an_id_that_is_none_is_refused(agent, id):
    body = json.dumps({**PING, "id": id}).encode()

    assert await told(await agent.post(body)) == (400, -32600, None)


@pytest.mark.parametrize(
    ("message", "id"),
    [
        (1, None),
        ("ping", None),
        (None, None),
        ({}, None),
        ({"id": 4, "method": "ping"}, 4),
        ({"jsonrpc": "1.0", "id": 4, "method": "ping"}, 4),
        ({"jsonrpc": "2.0", "id": 4}, 4),
        ({"jsonrpc": "2.0", "id": "x", "method": 7}, "x"),
        ({"jsonrpc": "2.0", "method": None}, None),
    ],
)
async def test_a_message_that_is_none_is_refused_with_its_id(agent, message, id):
    assert await told(await agent.post(message)) == (400, -32600, id)


@pytest.mark.parametrize("params", [[], [1], "x", 3, True])
async def test_parameters_are_an_object(agent, params):
    assert await told(await agent.post({**PING, "params": params})) == (200, -32602, 1)


async def test_parameters_may_be_null(agent):
    assert (await (await agent.post({**PING, "params": None})).get_json())["result"] == {}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"jsonrpc":"2.0",}', b'{"id":"\\ud800"}', b"[" * 5000, b"NaN"])
async def test_what_is_not_json_is_a_parse_error(agent, body):
    assert await told(await agent.post(body)) == (400, -32700, None)


@pytest.mark.parametrize(
    "method", ["resources/list", "prompts/get", "server/discover", "tools", "", "rpc.x", "logging/setLevel"]
)
async def test_a_method_that_we_do_not_have_is_told(agent, method):
    assert await told(await agent.post({**PING, "method": method})) == (200, -32601, 1)


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
async def test_what_wants_no_reply_gets_202_and_does_nothing(agent, calls, message):
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
async def test_a_batch_that_is_none_is_refused_whole(agent, members, version):
    assert await told(await agent.post(members, MCP_Protocol_Version=version)) == (400, -32600, None)


async def test_twenty_in_a_batch_are_taken(agent):
    response = await agent.post([PING] * 20, MCP_Protocol_Version="2025-03-26")

    assert len(await response.get_json()) == 20


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "latest", ""])
async def test_a_version_in_the_header_that_we_do_not_speak_is_told_with_those_that_we_do(agent, version):
    response = await agent.post(PING, MCP_Protocol_Version=version)

    assert await told(response) == (400, -32600, None)
    assert (await response.get_json())["error"]["data"] == {
        "supported": ["2024-11-05", "2025-03-26", "2025-06-18"],
        "requested": version,
    }


@pytest.mark.parametrize(
    "accept",
    [
        "", "*/*", "application/*", "application/json", "application/json, text/event-stream", "Application/JSON;q=0.5",
        "text/event-stream, */*;q=0.1",
    ],
)  # fmt: skip
async def test_json_is_given_to_whoever_takes_it(agent, accept):
    response = await agent.post(PING, Accept=accept)

    assert (response.status_code, response.content_type) == (200, "application/json")


@pytest.mark.parametrize("accept", ["text/event-stream", "text/*", "text/event-stream, application/json;q=0"])
async def test_whoever_takes_streams_alone_gets_one_of_one_event(agent, accept):
    response = await agent.post(PING, Accept=accept)

    assert (response.status_code, response.content_type) == (200, "text/event-stream")
    assert await response.get_data() == b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


@pytest.mark.parametrize("accept", ["text/html", "image/*", "application/json;q=0", ";;,"])
async def test_whoever_takes_neither_gets_406(agent, accept):
    assert await told(await agent.post(PING, Accept=accept)) == (406, -32600, None)


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200), ("application/json; charset=utf-8", 200), ("application/json-rpc+json", 200),
        ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("json", 415),
    ],
)  # fmt: skip
async def test_the_body_is_json(agent, content_type, status):
    assert (await agent.post(PING, Content_Type=content_type)).status_code == status


async def test_a_body_of_more_than_a_megabyte_is_refused(agent):
    response = await agent.post({**PING, "params": {"x": "y" * 1_048_576}})

    assert await told(response) == (413, -32600, None)
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
