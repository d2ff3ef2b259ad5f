"""Allowed hosts and origins of servers."""

import pytest
from comanda.devkit.testing.mcp import McpClient
from mcp_messages import GREET, PING, get_error


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "127.0.0.1:9", "[::1]:8000", "comanda.test", "COMANDA.test:443", "localhost."],
)
async def test_a_name_of_ours_is_answered(stranger, host):
    assert (await stranger.post(PING, Host=host)).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "comanda.test.evil.example", "", "localhost@evil.example"]
)
async def test_a_foreign_name_is_misdirected(stranger, host):
    response = await stranger.post(GREET, Host=host)

    assert response.status_code == 421
    error = await get_error(response)
    assert (error["code"], error["data"]["code"]) == (-32600, "misdirected_request")


@pytest.mark.parametrize(("hosts", "status"), [(["shop.example"], 200), (["*"], 200), (["other.example"], 421)])
async def test_further_names_are_configured(stranger, configure, hosts, status):
    configure(mcp_allowed_hosts=hosts)

    assert (await stranger.post(PING, Host="shop.example:8443")).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200), ("https://comanda.test", 200), ("http://127.0.0.1", 200),
        ("https://evil.example", 403), ("null", 403), ("", 403), ("http://localhost.evil.example", 403),
        ("https://admin.example", 403),
    ],
)  # fmt: skip
async def test_pages_of_foreign_origins_are_turned_away(agent, fair, origin, status):
    for path in ("/agents", "/agents/garden"):
        response = await McpClient(fair, path, agent._headers).post(PING, Origin=origin)

        assert response.status_code == status
        if status == 403:
            error = await get_error(response)
            assert (error["code"], error["data"]["reason"]) == (-32003, "origin_not_allowed")
            assert "Access-Control-Allow-Origin" not in response.headers


async def test_origins_that_may_call_the_owner_api_may_call_servers(agent, configure):
    configure(cors_origins=["https://admin.example"])

    assert (await agent.post(PING, Origin="https://admin.example")).status_code == 200


EDITOR = "https://editor.example"


async def asked_from(origin, stranger, fair):
    """Return what an open server answers to a page of an origin, and to its browser's question before that."""
    asking = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return await stranger.post(PING, Origin=origin), await fair.options("/agents/park", headers=asking)


@pytest.mark.parametrize("origins", [[], [EDITOR + ".evil.example", "https://other.example"]])
async def test_an_open_server_takes_no_page_that_the_operator_does_not_name(stranger, fair, configure, origins):
    configure(mcp_public_origins=origins)

    for response in await asked_from(EDITOR, stranger, fair):
        assert response.status_code == 403
        assert (await get_error(response))["data"]["reason"] == "origin_not_allowed"
        assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("origins", [[EDITOR], ["*"]])
async def test_an_open_server_takes_pages_that_the_operator_names(stranger, fair, configure, origins):
    configure(mcp_public_origins=origins)

    response, preflight = await asked_from(EDITOR, stranger, fair)

    assert (response.status_code, response.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert "MCP-Protocol-Version" in preflight.headers["Access-Control-Allow-Headers"]


async def test_named_origins_open_no_server_that_needs_a_token(agent, configure):
    configure(mcp_public_origins=["*"])

    assert (await agent.post(PING, Origin=EDITOR)).status_code == 403


async def test_a_page_of_the_installation_itself_may_call_an_open_server(stranger):
    assert (await stranger.post(PING, Origin="https://comanda.test")).status_code == 200
