"""Negotiation of protocol version and content types."""

import pytest
from mcp_messages import PING, read_error


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "latest", ""])
async def test_unsupported_version_lists_supported_ones(agent, version):
    response = await agent.post(PING, MCP_Protocol_Version=version)

    assert await read_error(response) == (400, -32600, None)
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
async def test_json_is_sent_if_accepted(agent, accept):
    response = await agent.post(PING, Accept=accept)

    assert (response.status_code, response.content_type) == (200, "application/json")


@pytest.mark.parametrize("accept", ["text/event-stream", "text/*", "text/event-stream, application/json;q=0"])
async def test_stream_is_sent_if_only_streams_are_accepted(agent, accept):
    response = await agent.post(PING, Accept=accept)

    assert (response.status_code, response.content_type) == (200, "text/event-stream")
    assert await response.get_data() == b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'


@pytest.mark.parametrize("accept", ["text/html", "image/*", "application/json;q=0", ";;,"])
async def test_unsupported_accept_header_gets_406(agent, accept):
    assert await read_error(await agent.post(PING, Accept=accept)) == (406, -32600, None)


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200), ("application/json; charset=utf-8", 200), ("application/json-rpc+json", 200),
        ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("json", 415),
    ],
)  # fmt: skip
async def test_the_body_is_json(agent, content_type, status):
    assert (await agent.post(PING, Content_Type=content_type)).status_code == status
