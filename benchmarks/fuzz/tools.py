"""The tools of the MCP servers, described as operations, so that their calls are generated like requests."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import aiohttp

# Tools of the hostile plugin are called by its own attacks: they hang.
HOSTILE: Final = "hostile_"
JSON: Final = "application/json"
METHODS: Final = [
    "initialize", "ping", "tools/list", "tools/call", "prompts/list", "resources/list", "resources/read",
    "notifications/initialized", "notifications/cancelled", "completion/complete", "logging/setLevel",
]  # fmt: skip


async def describe_tools(
    session: aiohttp.ClientSession, servers: Mapping[str, Mapping[str, Any]], callers: Mapping[str, dict[str, str]]
) -> dict[str, Any]:
    """Return a description with an operation for each tool, and one of each server for other messages.

    Where they are sent stands in ``x-path``, because many share an address.
    """
    paths: dict[str, Any] = {}
    components: dict[str, Any] = {"Reply": {"type": "object"}}
    for name, server in servers.items():
        params: dict[str, Any] = {"type": "object"}
        paths[f"/{name}"] = _describe(name, server["path"], {"enum": METHODS}, params, {})
        async for tool in _list_tools(
            session, server["path"], callers[server["kinds"][0] if server["kinds"] else "nobody"]
        ):
            label = f"{name}_{tool['name']}"
            if tool["name"].startswith(HOSTILE):
                continue
            arguments, result = (
                _take_definitions(tool[schema], f"{label}_{schema}", components)
                for schema in ("inputSchema", "outputSchema")
            )
            params = {
                "type": "object",
                "required": ["name", "arguments"],
                "properties": {"name": {"const": tool["name"]}, "arguments": arguments},
            }
            paths[f"/{name}/{tool['name']}"] = _describe(label, server["path"], {"const": "tools/call"}, params, result)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tools", "version": "1"},
        "paths": paths,
        "components": {"schemas": components},
    }


def _describe(label: str, path: str, method: Any, params: Any, result: Any) -> dict[str, Any]:
    message = {
        "type": "object",
        "required": ["jsonrpc", "id", "method", "params"],
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": {"type": ["integer", "string"]},
            "method": method,
            "params": params,
        },
    }
    reply = {
        "type": "object",
        "required": ["jsonrpc", "id"],
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "result": {"type": "object", "properties": {"structuredContent": result}},
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
            },
        },
        "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
    }
    # A list of messages is answered with a list.
    content = {JSON: {"schema": {"anyOf": [reply, {"type": "array", "items": {"type": "object"}}]}}}
    operation = {
        "operationId": f"mcp_{label}",
        "x-path": path,
        "requestBody": {"required": True, "content": {JSON: {"schema": message}}},
        "responses": {
            "200": {"description": "The reply.", "content": content},
            "202": {"description": "A notification is accepted."},
            "4XX": {"description": "The message is refused.", "content": {JSON: {"schema": {"type": "object"}}}},
        },
    }
    return {"post": operation}


def _take_definitions(schema: dict[str, Any], label: str, components: dict[str, Any]) -> dict[str, Any]:
    """Move the definitions of a schema to the components, and return the schema with references to there."""
    text = json.dumps(schema).replace("#/$defs/", f"#/components/schemas/{label}_")
    moved: dict[str, Any] = json.loads(text)
    components |= {f"{label}_{name}": each for name, each in moved.pop("$defs", {}).items()}
    return moved


async def _list_tools(
    session: aiohttp.ClientSession, path: str, headers: dict[str, str]
) -> AsyncIterator[dict[str, Any]]:
    params: dict[str, Any] = {}
    while True:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
        async with session.post(path, json=message, headers=headers) as response:
            page = (await response.json())["result"]
        for tool in page["tools"]:
            yield tool
        if "nextCursor" not in page:
            return
        params = {"cursor": page["nextCursor"]}
