"""The official Python client talks to our servers, whichever revision it begins with."""

import httpx2
import mcp
import pytest
from mcp.client.streamable_http import streamable_http_client


@pytest.fixture
def connect(fair, owner):
    """Make a client of the office, or of another server, over the application's own ASGI interface."""

    def make(path="/agents", *, mode="auto", headers=None):
        transport = httpx2.ASGITransport(app=fair.app)
        http = httpx2.AsyncClient(transport=transport, headers=owner.auth if headers is None else headers)
        return mcp.Client(streamable_http_client(f"http://localhost{path}", http_client=http), mode=mode)

    return make


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_connects_lists_and_calls(connect, mode):
    async with connect(mode=mode) as client:
        listed = await client.list_tools()
        greeted = await client.call_tool("greet", {"name": "Ana", "note": None})
        menu = await client.call_tool("get_menu")

    assert [tool.name for tool in listed.tools][:3] == ["greet", "get_menu", "rename"]
    assert listed.tools[1].annotations.read_only_hint is True
    assert greeted.structured_content["text"] == "Hello Ana."
    assert not greeted.is_error
    assert menu.structured_content == {"categories": ["Soups", "Cafés"]}


async def test_client_receives_server_info(connect):
    async with connect(mode="legacy") as client:
        assert client.server_info.name == "comanda-office"
        assert client.instructions == "Start with greet."
        assert client.protocol_version == "2025-06-18"


async def test_client_reads_refusals(connect):
    async with connect() as client:
        wrong = await client.call_tool("greet", {"name": "Ana", "note": None, "times": 99})
        haggled = await client.call_tool("haggle")
        with pytest.raises(mcp.MCPError) as unknown:
            await client.call_tool("nope")

    assert wrong.is_error
    assert wrong.structured_content["errors"] == {"times": ["Must be 5 or less."]}
    assert haggled.structured_content["code"] == "price_changed"
    assert unknown.value.error.code == -32602


async def test_it_reads_a_public_server_without_a_token(connect):
    async with connect("/agents/park", headers={}) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["greet", "whisper"]


async def test_client_reports_invalid_token(connect):
    with pytest.raises(ExceptionGroup) as refused:
        async with connect(headers={}, mode="legacy"):
            pass

    assert "-32001" in repr(refused.value) or "token is required" in repr(refused.value)
