"""Messages of JSON-RPC."""

import json

import pytest
from mcp_messages import PING, read_error


@pytest.mark.parametrize("id", [0, -7, 2**63, "", "a", 'q"\\\n', "ü", "x" * 1000])
async def test_an_id_comes_back_as_it_was(agent, id):
    assert (await (await agent.post({**PING, "id": id})).get_json())["id"] == id


@pytest.mark.parametrize("id", [None, 1.5, 1.0, True, [], {}, 2**65])
async def test_invalid_id_is_rejected(agent, id):
    body = json.dumps({**PING, "id": id}).encode()

    assert await read_error(await agent.post(body)) == (400, -32600, None)


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
async def test_invalid_message_is_rejected_with_its_id(agent, message, id):
    assert await read_error(await agent.post(message)) == (400, -32600, id)


@pytest.mark.parametrize("params", [[], [1], "x", 3, True])
async def test_parameters_are_an_object(agent, params):
    assert await read_error(await agent.post({**PING, "params": params})) == (200, -32602, 1)


async def test_parameters_may_be_null(agent):
    assert (await (await agent.post({**PING, "params": None})).get_json())["result"] == {}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"jsonrpc":"2.0",}', b'{"id":"\\ud800"}', b"[" * 5000, b"NaN"])
async def test_invalid_json_is_a_parse_error(agent, body):
    assert await read_error(await agent.post(body)) == (400, -32700, None)
