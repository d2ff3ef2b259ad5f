"""Promises of every tool: it works, returns its declared result, and only reaches its caller's data.

The tools are those that the registry has. What a call of each takes stands in ``tests/support/tool_calls.py``.
"""

from itertools import product

import audit
import httpx2
import jsonschema
import mcp
import orjson
import pytest
from comanda.contracts import Caller, error_sentences
from comanda.devkit.testing import McpClient
from comanda.platform.mcp.schemas import build_arguments_schema
from installed_plugins import get_registry
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError
from route_requests import NOBODYS
from sweep import sweep
from tool_calls import STORE_TYPES, Bench

PARTS = 4


def list_served():
    """List the keys of the tools that servers have, such as ``admin/get_menu``."""
    return sorted(key for key in get_registry().mcp_tools if key.partition("/")[0] in get_registry().mcp_servers)


def ids_among(arguments):
    return {name for name in arguments if name.endswith("_id") or name in {"id", "track_token"}}


NASTY = [
    None, True, 0, -1, 1, 2**31, 2**53, 2**63, -(2**63), 2**64 - 1, 0.1, -0.0, 1e-320, 1.7e308, "", " ", "0", "-1",
    "1e999", "NaN", "\x00", "a\x00b", "\u202e", "\ufeff", "é" * 300, "x" * 5000, "2026-02-30", "9999-12-31",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "'; DROP TABLE core_owner; --", "%s%n{0}", "\\",
    "' & !:*",
    [], [[]], [None], {}, {"": ""}, {"\x00": 1}, {"__proto__": {"a": 1}}, [{}] * 50, {"a": {"b": {"c": []}}},
]  # fmt: skip


class Benches:
    """Prepared benches and agents of two owners, for calls that are refused; each is made once."""

    def __init__(self, client, agents):
        self._client, self._agents, self._found = client, agents, {}

    async def find(self, owner, key):
        """Return a bench of an owner that has what a tool needs, and an agent."""
        server = key.partition("/")[0]
        place = (owner.id, server, STORE_TYPES.get(key))
        if place not in self._found:
            bench = await Bench.make(self._client, owner, self._agents, key)
            self._found[place] = bench, await bench.agent(self._agents, server)
        return self._found[place]


@pytest.fixture
def benches(client, agents):
    return Benches(client, agents)


def test_every_server_has_plugin_tools():
    assert {"admin", "storefront", "customer", "catalog"} <= set(get_registry().mcp_servers)
    assert len(list_served()) >= 27


@pytest.mark.parametrize("part", range(PARTS))
async def test_tools_return_their_declared_results_and_leave_one_entry_if_they_write(
    client, owner, agents, tally, entry_times, part
):
    with sweep(at_least=5) as checks:
        for number, key in enumerate(list_served()[part::PARTS]):
            with checks.check(key):
                server, _, name = key.partition("/")
                tool = get_registry().mcp_tools[key]
                bench = await Bench.make(client, owner, agents, key)
                arguments = await bench.arguments(key)
                jsonschema.validate(arguments, build_arguments_schema(tool.arguments))
                request_id = f"audit-tools-{part}-{number}"
                credentials = (await bench.agent(agents, server)).credentials
                agent = McpClient(
                    client, get_registry().mcp_servers[server].path, credentials | {"X-Request-Id": request_id}
                )
                entry_times.clear()
                await tally.take()

                # The agent holds the answer against the schema of the tool's result and against the protocol's types.
                assert await agent.call(name, arguments)

                entries = await audit.entries_of(owner, request_id)
                if tool.is_read_only:
                    assert entries == []
                    assert await tally.take() == {}
                else:
                    assert [(entry["action"], entry["outcome"]) for entry in entries] == [(f"mcp/{key}", "ok")]
                    assert entry_times == [audit.EntryTime.WITH_WRITE]


@pytest.mark.parametrize("server", ["admin", "catalog", "customer", "dev", "storefront"])
async def test_official_client_accepts_the_results(app, owner, agents, benches, server):
    keys = [key for key in list_served() if key.startswith(f"{server}/")]
    url = f"http://localhost{get_registry().mcp_servers[server].path}"
    with sweep(at_least=3) as checks:
        # The token of an agent is that of a store of one type.
        for store_type in sorted({STORE_TYPES.get(key, "") for key in keys}):
            of_type = [key for key in keys if STORE_TYPES.get(key, "") == store_type]
            bench, agent = await benches.find(owner, of_type[0])
            http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), headers=agent.credentials)
            async with mcp.Client(streamable_http_client(url, http_client=http)) as client:
                listed = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert {f"{server}/{name}" for name in listed} <= set(keys)
                for key in of_type:
                    name = key.partition("/")[2]
                    with checks.check(key):
                        answer = await client.call_tool(name, await bench.arguments(key))

                        assert listed[name].input_schema["type"] == "object"
                        assert not answer.is_error, answer
                        assert answer.structured_content is not None


async def test_ids_of_other_owners_are_not_found(owner, other_owner, benches, tally):
    with sweep(at_least=15) as checks:
        for key in list_served():
            server, _, name = key.partition("/")
            tool = get_registry().mcp_tools[key]
            if not get_registry().mcp_servers[server].callers or not ids_among(tool.arguments.model_fields):
                continue
            with checks.check(key):
                bench, _ = await benches.find(owner, key)
                other_bench, stranger = await benches.find(other_owner, key)
                theirs, mine = await bench.arguments(key), await other_bench.arguments(key)
                await tally.take()

                assert (await stranger.refused(name, theirs))["code"] == "not_found"
                for foreign in ids_among(theirs):
                    # Own ids around one that is not; an argument that names what is put there is told as wrong.
                    refused = await stranger.refused(name, {**mine, foreign: theirs[foreign]})
                    assert refused["code"] in {"not_found", "validation_failed"}
                    missing = {**mine, foreign: NOBODYS if isinstance(theirs[foreign], int) else "0" * 40}
                    assert (await stranger.refused(name, missing))["code"] == refused["code"]

                assert await tally.take() == {}


async def test_token_without_capability_does_not_see_the_tool(owner, agents, benches, tally):
    scopes = get_registry().list_scopes("owner")
    with sweep(at_least=15) as checks:
        for key in list_served():
            tool = get_registry().mcp_tools[key]
            if not key.startswith("admin/") or not tool.scope:
                continue
            with checks.check(key):
                rule = tool.get_access(get_registry().mcp_servers["admin"])
                suffices = [
                    scope
                    for scope in scopes
                    if rule.find_refusal(Caller("owner", 1, 1, None, None, frozenset({scope}), None)) is None
                ]
                bench, _ = await benches.find(owner, key)
                arguments = await bench.arguments(key)
                agent = agents.admin(await owner.token_with(*(set(scopes) - set(suffices))))
                await tally.take()

                error = await agent.error(tool.name, arguments)

                assert (error["code"], error["data"]) == (-32003, {"code": "forbidden", "required": tool.scope})
                assert tool.name not in await agent.tools()
                assert await tally.take() == {}
                assert suffices


async def test_unknown_argument_lists_known_ones(owner, benches):
    with sweep(at_least=27) as checks:
        for key in list_served():
            with checks.check(key):
                bench, agent = await benches.find(owner, key)
                arguments = {**await bench.arguments(key), "customer_number": 1}

                refused = await agent.refused(key.partition("/")[2], arguments)

                assert (refused["code"], list(refused["errors"])) == ("validation_failed", ["customer_number"])


@pytest.mark.parametrize("part", range(PARTS))
async def test_hostile_arguments_do_not_crash_tools(client, owner, agents, part):
    # What is refused before a tool runs is refused in the same way for all tools, so each value is sent once.
    unsent = {repr(value) for value in NASTY}
    with sweep(at_least=5) as checks:
        for key in list_served()[part::PARTS]:
            with checks.check(key):
                server, _, name = key.partition("/")
                model = get_registry().mcp_tools[key].arguments
                bench = await Bench.make(client, owner, agents, key)
                agent, arguments = await bench.agent(agents, server), await bench.arguments(key)
                for argument, value in product(build_arguments_schema(model)["properties"], NASTY):
                    given = {**arguments, argument: value}
                    if is_accepted(model, given) or repr(value) in unsent:
                        unsent.discard(repr(value))
                        reply = await agent.request("tools/call", {"name": name, "arguments": given})
                        assert "result" in reply, (argument, value, reply)


def is_accepted(model, arguments):
    try:
        model.model_validate(orjson.loads(orjson.dumps(arguments)))
    except ValidationError as error:
        return not error_sentences(error)
    return True


def test_customer_tools_take_no_customer_id():
    customers = {key: tool for key, tool in get_registry().mcp_tools.items() if key.startswith("customer/")}
    whose = {"customer_id", "phone", "email", "restaurant_id"}

    assert customers
    assert {key: found for key, tool in customers.items() if (found := whose & set(tool.arguments.model_fields))} == {}
