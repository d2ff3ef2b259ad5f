"""No message that anybody can send makes a server fail, or answer outside JSON-RPC."""

import json

import orjson
import pytest
from bound_requests import capture_request
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NASTY = [
    None, True, 0, -1, 2**53, 2**64, 10**400, 0.1, float("nan"), float("inf"), "", "2.0", "ping", "tools/call",
    "tools/list", "greet", "initialize", "\x00", "\ud800", "\u202e", "x" * 3000, [], {}, {"": ""}, [[]], [None],
]  # fmt: skip
values = st.recursive(
    st.sampled_from(NASTY) | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = ["name", "times", "mood", "on", "sides", "note", "restaurant_id"]
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers(0, 9) | values,
        "method": st.sampled_from(["ping", "initialize", "tools/list", "tools/call", "notifications/x"]) | values,
        "params": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["greet", "find_store", "whisper"]) | values,
                "arguments": st.fixed_dictionaries(
                    {},
                    optional=dict.fromkeys(["name", "times", "mood", "on", "sides", "note", "restaurant_id"], values),
                )
                | values,
                "cursor": values,
                "protocolVersion": values,
            },
        )
        | values,
        "result": values,
    },
)
documents = messages | st.lists(messages, max_size=4) | values
bodies = documents.map(lambda document: json.dumps(document).encode()) | st.binary(max_size=60)
IN_PROCESS = settings(max_examples=100, suppress_health_check=list(HealthCheck))
OVER_HTTP = settings(max_examples=20, suppress_health_check=list(HealthCheck))


@pytest.fixture
async def sent(fair, fair_registry, owner):
    """A message of the owner's agent that its server has admitted, to be handled in the process with other bodies."""
    route = next(each for each in fair_registry.routes if (each.method, each.full_path) == ("POST", "/agents"))
    return await capture_request(fair, route, [], {**owner.auth, "MCP-Protocol-Version": "2025-03-26"})


def expect_no_failure(status, body):
    assert status in {200, 202, 400, 413}, body
    if status == 202:
        assert body == b""
        return
    document = orjson.loads(body)
    for reply in document if isinstance(document, list) else [document]:
        assert reply["jsonrpc"] == "2.0"
        assert reply.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
        assert reply.get("error", {}).get("code") != -32603


@IN_PROCESS
@given(body=bodies)
async def test_any_message_at_all(sent, body):
    answer = await sent.handle(sent.bind(body=body))

    expect_no_failure(answer.status, answer.body)


@OVER_HTTP
@given(body=bodies)
async def test_any_message_over_http(agent, body):
    response = await agent.post(body, MCP_Protocol_Version="2025-03-26")

    expect_no_failure(response.status_code, await response.get_data())


@OVER_HTTP
@given(headers=st.dictionaries(
    st.sampled_from(["Accept", "Content-Type", "MCP-Protocol-Version", "Host", "Origin", "Authorization"]),
    st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="[]"), max_size=30),
    max_size=3,
))  # fmt: skip
async def test_any_headers_at_all(agent, headers):
    response = await agent.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, **headers)

    assert response.status_code in {200, 400, 401, 403, 406, 415, 421}
