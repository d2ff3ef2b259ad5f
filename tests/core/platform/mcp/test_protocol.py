"""Access to servers: tokens, scopes and rate limits."""

from dataclasses import replace

from comanda.accounts import services as accounts
from comanda.contracts import Arguments, Caller, McpServer, Tool
from comanda.devkit.testing.mcp import McpClient
from comanda.platform.db import sql
from mcp_messages import GREET, PING, get_error

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "haggle"}}


async def test_missing_token_gets_challenge(fair):
    response = await McpClient(fair, "/agents").post(CALL)
    error = await get_error(response)

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith('Bearer realm="http://comanda.test"')
    assert "error=" not in response.headers["WWW-Authenticate"]
    assert (error["code"], error["data"]["code"]) == (-32001, "unauthenticated")


async def test_unknown_token_is_invalid(fair, owner):
    for token in ("own_nonsense", owner.token[:-1] + ("y" if owner.token.endswith("x") else "x"), "x"):
        response = await McpClient(fair, "/agents", {"Authorization": f"Bearer {token}"}).post(CALL)

        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"].endswith(', error="invalid_token"')


async def test_a_revoked_token_is_refused_at_once(agent, owner):
    assert (await agent.post(PING)).status_code == 200
    await accounts.revoke_token(owner.id, owner.token_id)

    assert (await agent.post(PING)).status_code == 401


async def test_a_token_in_the_address_is_not_looked_at(fair, owner):
    assert (await McpClient(fair, f"/agents?api_token={owner.token}").post(CALL)).status_code == 401


async def test_kinds_of_tokens_are_not_interchangeable(fair, owner, token_of):
    kiosk = await token_of("kiosk", "agent", "menu:read")
    wrong = [
        ("/agents", {"Authorization": f"Bearer {kiosk}"}),
        ("/agents", {"X-Kiosk-Token": kiosk}),
        ("/agents/kiosk", owner.auth),
        ("/agents/kiosk", {"X-Kiosk-Token": owner.token}),
        ("/agents/kiosk", {"Authorization": f"Bearer {kiosk}"}),
    ]
    for path, headers in wrong:
        assert (await McpClient(fair, path, headers).post(PING)).status_code == 401, (path, headers)
    assert (await McpClient(fair, "/agents/kiosk", {"X-Kiosk-Token": kiosk}).post(PING)).status_code == 200


async def test_a_server_needs_its_scope_of_every_token(fair, token_of):
    without = McpClient(fair, "/agents/kiosk", {"X-Kiosk-Token": await token_of("kiosk", "menu:read")})
    response = await without.post(PING)
    error = await get_error(response)

    assert response.status_code == 403
    assert (error["code"], error["data"]["code"], error["data"]["required"]) == (-32003, "forbidden", "agent")
    assert 'error="insufficient_scope", scope="agent"' in response.headers["WWW-Authenticate"]


async def test_a_tool_may_need_more(fair, token_of):
    some = McpClient(fair, "/agents/kiosk", {"X-Kiosk-Token": await token_of("kiosk", "agent")})
    more = McpClient(fair, "/agents/kiosk", {"X-Kiosk-Token": await token_of("kiosk", "agent", "menu:read")})

    assert list(await some.tools()) == ["greet"]
    assert list(await more.tools()) == ["greet", "price"]


async def test_a_token_that_acts_for_another_kind_needs_leave_to(fair, token_of):
    without = McpClient(fair, "/agents", {"Authorization": f"Bearer {await token_of('gadget', 'menu:read')}"})
    leave = await token_of("gadget", "menu:read", "mcp:use")
    response = await without.post(PING)

    assert (response.status_code, (await get_error(response))["data"]["required"]) == (403, "mcp:use")
    assert 'scope="mcp:use"' in response.headers["WWW-Authenticate"]
    assert "get_menu" in await McpClient(fair, "/agents", {"Authorization": f"Bearer {leave}"}).tools()


def test_a_tool_without_a_scope_is_closed_to_programs_that_act_for_somebody():
    server = McpServer("fair", "/fair", "Fair", "x", callers=("visitor",))
    tool = Tool("greet", "Greet", "Greets.", ("fair",), Arguments, Arguments, handler=None)
    visitor = Caller("visitor", 1, 1, 1, 1, frozenset(), None)
    program = replace(visitor, kind="program", scopes=frozenset({"tickets"}), acts_as="visitor")

    assert tool.get_access(server).find_refusal(visitor) is None
    assert tool.get_access(server).find_refusal(program).extras == {"reason": "not_delegable"}
    assert replace(tool, scope="tickets").get_access(server).find_refusal(program) is None


async def test_suspended_owner_is_rejected_with_reason(agent, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    response = await agent.post(PING)

    assert (response.status_code, (await get_error(response))["data"]["reason"]) == (403, "account_suspended")


async def test_tool_calls_are_counted_apart_from_everything_else(agent, fair, owner, configure):
    configure(mcp_calls_per_minute=3, mcp_messages_per_minute=6)
    statuses = [(await agent.post(CALL)).status_code for _ in range(4)]
    refused = await agent.post({**CALL, "id": "last"})
    reply = await refused.get_json()

    assert statuses == [200, 200, 200, 429]
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "50")
    assert reply["id"] == "last"
    assert reply["error"]["code"] == -32005
    assert (reply["error"]["data"]["code"], reply["error"]["data"]["retry_after"]) == ("rate_limited", 50)
    assert refused.headers["X-RateLimit-Limit"] == "3"
    listed = await agent.post(PING)
    assert (listed.status_code, listed.headers["X-RateLimit-Remaining"]) == (200, "0")
    over = await agent.post(PING)
    assert (over.status_code, (await over.get_json())["error"]["code"]) == (429, -32005)
    assert over.headers["X-RateLimit-Limit"] == "6"
    assert (await fair.get("/api/v1/me", headers=owner.auth)).status_code == 200


async def test_every_member_of_a_batch_counts(agent, calls, configure):
    configure(mcp_calls_per_minute=3, mcp_messages_per_minute=10)
    greet = {"name": "greet", "arguments": {"name": "A", "note": None}}
    members = [{**CALL, "params": greet}] * 2 + [PING]
    assert (await agent.post(members, MCP_Protocol_Version="2025-03-26")).status_code == 200

    refused = await agent.post(members, MCP_Protocol_Version="2025-03-26")
    assert (refused.status_code, (await get_error(refused))["code"]) == (429, -32005)
    assert len(calls) == 2
    rest = [await agent.post(PING) for _ in range(5)]
    assert [response.status_code for response in rest] == [200] * 4 + [429]


async def test_a_public_server_counts_addresses(fair, configure):
    configure(mcp_public_calls_per_minute=2)
    stranger = McpClient(fair, "/agents/park")
    statuses = [(await stranger.post(GREET)).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    assert (await stranger.post(PING)).status_code == 200


async def test_guessing_tokens_is_counted_by_address(fair, configure):
    configure(mcp_messages_per_minute=2)
    guesser = McpClient(fair, "/agents", {"Authorization": "Bearer own_guess"})

    assert [(await guesser.post(PING)).status_code for _ in range(3)] == [401, 401, 429]


async def test_the_index_lists_the_servers(fair):
    document = await (await fair.get("/api/v1")).get_json()

    ours = [server for server in document["mcp_servers"] if server["url"].startswith("http://comanda.test/agents")]
    assert ours == [
        {"name": "office", "title": "Office", "url": "http://comanda.test/agents"},
        {"name": "kiosk", "title": "Kiosk", "url": "http://comanda.test/agents/kiosk"},
        {"name": "park", "title": "Park", "url": "http://comanda.test/agents/park"},
        {"name": "garden", "title": "Garden", "url": "http://comanda.test/agents/garden"},
    ]
    assert not any("/agents" in path for paths in document["endpoints"].values() for path in paths)
