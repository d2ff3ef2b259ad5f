"""Checks of the declared servers and tools, and the routes of servers."""

import re
from collections.abc import Mapping
from typing import Any

from comanda.basics.startup_errors import InvalidDeclaration, UnknownReference
from comanda.contracts.requests.mcp import KNOWN_SERVERS, McpServer, Tool
from comanda.contracts.requests.routes import API_PREFIX, PUBLIC, Routes
from comanda.platform.mcp.endpoint import McpEndpoint
from comanda.platform.mcp.protocol import McpProtocol
from comanda.platform.mcp.schemas import REFUSAL, build_arguments_schema, build_strict_result_schema

# Declarations by name, each with the plugin that made it.
Found = Mapping[str, tuple[str, Any]]

SERVER_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
SERVER_PATH = re.compile(r"(/[a-z0-9-]+)+")
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def check_servers(found: Found, declared: Mapping[str, Found]) -> None:
    """Check that each server has a path outside the REST API and accepts declared kinds of callers."""
    for plugin, server in found.values():
        _check_server(plugin, server, declared)


def _check_server(plugin: str, server: McpServer, declared: Mapping[str, Found]) -> None:
    where = f"Plugin {plugin}: the MCP server {server.name}"
    if not SERVER_NAME.fullmatch(server.name):
        raise InvalidDeclaration(f"{where} needs a name of lower-case letters, digits and hyphens.", plugin)
    if not SERVER_PATH.fullmatch(server.path) or f"{server.path}/".startswith(f"{API_PREFIX}/"):
        raise InvalidDeclaration(
            f"{where} needs a path beside {API_PREFIX}, such as /mcp; {server.path!r} is none.", plugin
        )
    if server.scope is not None and not server.callers:
        raise InvalidDeclaration(f"{where} needs the scope {server.scope} of callers, and takes none.", plugin)
    if unknown := [code for code in server.callers if code not in declared["caller_kinds"]]:
        raise UnknownReference(f"{where} takes callers of the kind {unknown[0]}, which no plugin declares.", plugin)


def check_tool(plugin: str, tool: Tool, declared: Mapping[str, Found]) -> None:
    """Check that a tool is fully described, and that no scope is required on a public server."""
    where, servers = f"Plugin {plugin}: the MCP tool {tool.name}", declared["mcp_servers"]
    if not TOOL_NAME.fullmatch(tool.name):
        raise InvalidDeclaration(
            f"{where} needs a name of lower-case letters, digits and underscores, 64 at most.", plugin
        )
    if not (tool.title and tool.description and tool.servers):
        raise InvalidDeclaration(f"{where} needs a title, a description and a server.", plugin)
    for name in tool.servers:
        if name not in servers and name not in KNOWN_SERVERS:
            raise UnknownReference(f"{where} names the server {name}, which no plugin declares.", plugin)
        if name in servers and not servers[name][1].callers and tool.scope is not None:
            raise InvalidDeclaration(f"{where} needs the capability {tool.scope} on the public server {name}.", plugin)
    try:
        build_arguments_schema(tool.arguments)
        result = build_strict_result_schema(tool.result)
    except ValueError as error:
        raise InvalidDeclaration(f"{where} cannot be described to agents: {error}.", plugin) from error
    if taken := [name for name in result.get("properties", {}) if name in REFUSAL]:
        raise InvalidDeclaration(f"{where} gives a result with the field {taken[0]}, which is a refusal's.", plugin)


def create_routes(server: McpServer, tools: Found) -> Routes:
    """Return the routes of a server, with the tools that name it."""
    mine = [tool for key, (_, tool) in tools.items() if key == f"{server.name}/{tool.name}"]
    group = Routes("MCP", callers=PUBLIC, prefix="", is_documented=False, protocol=McpProtocol(server))
    group.post(server.path, status=200, cors=server.is_cors)(McpEndpoint(server, mine).answer)
    return group
