"""Promises of every tool: it works, returns its declared result, and only reaches its caller's data.

The tools are those that the registry has. What a call of each takes stands in ``tests/support/tool_calls.py``.
"""

from functools import partial

import audit
import httpx2
import jsonschema
import mcp
import pytest
import route_requests
from comanda.contracts.callers import Caller
from comanda.mcp.schemas import build_arguments_schema
from mcp.client.streamable_http import streamable_http_client
from tool_calls import REGISTRY, SERVERS, Bench

SERVED = sorted(key for key in REGISTRY.mcp_tools if key.partition("/")[0] in SERVERS)
READING = [key for key in SERVED if REGISTRY.mcp_tools[key].is_read_only]


def ids_among(arguments):
    return {name for name in arguments if name.endswith("_id") or name in {"id", "track_token"}}


WITH_IDS = [
    key
    for key in SERVED
    if SERVERS[key.partition("/")[0]].callers and ids_among(REGISTRY.mcp_tools[key].arguments.model_fields)
]

NOBODYS = 987_654_321_000
NASTY = [
    None, True, 0, -1, 1, 2**31, 2**53, 2**63, -(2**63), 2**64 - 1, 0.1, -0.0, 1e-320, 1.7e308, "", " ", "0", "-1",
    "1e999", "NaN", "\x00", "a\x00b", "\u202e", "\ufeff", "é" * 300, "x" * 5000, "2026-02-30", "9999-12-31",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "'; DROP TABLE core_owner; --", "%s%n{0}", "\\",
    "' & !:*",
    [], [[]], [None], {}, {"": ""}, {"\x00": 1}, {"__proto__": {"a": 1}}, [{}] * 50, {"a": {"b": {"c": []}}},
]  # fmt: skip


@pytest.fixture
async def bench(client, owner, agents, key):
    return await Bench.make(client, owner, agents, key)


@pytest.fixture
async def other_bench(client, other_owner, agents, key):
    return await Bench.make(client, other_owner, agents, key)


# Tokens note their use.
everything_of = partial(route_requests.everything_of, but={"core_access_token"})


def test_every_server_has_plugin_tools():
    assert {"admin", "storefront", "customer", "catalog"} <= set(SERVERS)
    assert len(SERVED) >= 27


@pytest.mark.parametrize("key", SERVED)
async def test_tool_returns_its_declared_result(bench, agents, key):
    server, _, name = key.partition("/")
    arguments = await bench.arguments(key)
    jsonschema.validate(arguments, build_arguments_schema(REGISTRY.mcp_tools[key].arguments))

    # The agent holds the answer against the schema of the tool's result and against the protocol's types.
    assert await (await bench.agent(agents, server)).call(name, arguments)


@pytest.mark.parametrize("key", SERVED)
async def test_official_client_accepts_the_result(app, bench, agents, key):
    server, _, name = key.partition("/")
    agent = await bench.agent(agents, server)
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), headers=agent.credentials)
    url = f"http://localhost{SERVERS[server].path}"

    async with mcp.Client(streamable_http_client(url, http_client=http)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        answer = await client.call_tool(name, await bench.arguments(key))

    assert set(listed) <= {each.partition("/")[2] for each in SERVED if each.startswith(f"{server}/")}
    assert listed[name].input_schema["type"] == "object"
    assert not answer.is_error, answer
    assert answer.structured_content is not None


@pytest.mark.parametrize("key", READING)
async def test_read_only_tool_changes_nothing(bench, agents, key):
    server, _, name = key.partition("/")
    arguments = await bench.arguments(key)
    before = await everything_of(bench.owner)

    await (await bench.agent(agents, server)).call(name, arguments)

    assert await everything_of(bench.owner) == before


@pytest.mark.parametrize("key", sorted(set(SERVED) - set(READING)))
async def test_writing_tool_leaves_one_audit_entry(bench, agents, entry_times, key):
    server, _, name = key.partition("/")
    arguments = await bench.arguments(key)
    agent = await bench.agent(agents, server)
    entry_times.clear()

    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    await agent.post(message, X_Request_Id="audit-tools")

    entries = await audit.entries_of(bench.owner, "audit-tools")
    assert [(entry["action"], entry["outcome"]) for entry in entries] == [(f"mcp/{key}", "ok")]
    assert entry_times == [audit.EntryTime.WITH_WRITE]


@pytest.mark.parametrize("key", WITH_IDS)
async def test_ids_of_other_owners_are_not_found(bench, other_bench, agents, key):
    server, _, name = key.partition("/")
    theirs, mine = await bench.arguments(key), await other_bench.arguments(key)
    stranger = await other_bench.agent(agents, server)
    before, mine_before = await everything_of(bench.owner), await everything_of(other_bench.owner)

    assert (await stranger.refused(name, theirs))["code"] == "not_found"
    for foreign in ids_among(theirs):
        # Own ids around one that is not; an argument that names what is put there is told as wrong.
        refused = await stranger.refused(name, {**mine, foreign: theirs[foreign]})
        assert refused["code"] in {"not_found", "validation_failed"}
        missing = {**mine, foreign: NOBODYS if isinstance(theirs[foreign], int) else "0" * 40}
        assert (await stranger.refused(name, missing))["code"] == refused["code"]

    assert await everything_of(bench.owner) == before
    assert await everything_of(other_bench.owner) == mine_before


@pytest.mark.parametrize("key", [key for key in SERVED if REGISTRY.mcp_tools[key].scope and "admin" in key])
async def test_token_without_capability_does_not_see_the_tool(bench, agents, key):
    tool = REGISTRY.mcp_tools[key]

    def suffices(scope):
        return tool.permits(Caller("owner", 1, 1, None, None, frozenset({scope}), None))

    lacking = [scope for scope in REGISTRY.list_scopes("owner") if not suffices(scope)]
    arguments = await bench.arguments(key)
    agent = agents.admin(await bench.owner.token_with(*lacking))
    before = await everything_of(bench.owner)

    error = await agent.error(tool.name, arguments)

    assert (error["code"], error["data"]) == (-32003, {"code": "forbidden", "required": tool.scope})
    assert tool.name not in await agent.tools()
    assert await everything_of(bench.owner) == before
    assert [scope for scope in REGISTRY.list_scopes("owner") if suffices(scope)]


@pytest.mark.parametrize("key", SERVED)
async def test_unknown_argument_lists_known_ones(bench, agents, key):
    server, _, name = key.partition("/")
    arguments = {**await bench.arguments(key), "customer_number": 1}

    refused = await (await bench.agent(agents, server)).refused(name, arguments)

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", ["customer_number"])


@pytest.mark.parametrize("key", SERVED)
async def test_hostile_arguments_do_not_crash_tools(bench, agents, key):
    server, _, name = key.partition("/")
    agent, arguments = await bench.agent(agents, server), await bench.arguments(key)

    for argument in build_arguments_schema(REGISTRY.mcp_tools[key].arguments)["properties"]:
        for value in NASTY:
            reply = await agent.request("tools/call", {"name": name, "arguments": {**arguments, argument: value}})
            assert "result" in reply, (argument, value, reply)


@pytest.mark.parametrize("key", [key for key in SERVED if key.startswith("customer/")])
def test_customer_tools_take_no_customer_id(key):
    assert not {"customer_id", "phone", "email", "restaurant_id"} & set(REGISTRY.mcp_tools[key].arguments.model_fields)
