"""An MCP client for tests that validates every answer against the schemas of the server and the protocol."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import Any

import jsonschema
import orjson
from quart import Response
from quart.testing import QuartClient

from comanda.platform import runtime
from comanda.platform.mcp.schemas import build_strict_result_schema

VERSION = "2025-06-18"


class McpClient:
    """Calls the tools of the server at ``path``.

    It raises ``AssertionError`` if an answer violates the schema of the tool, or the types of the package ``mcp`` if
    that is installed.
    """

    def __init__(self, client: QuartClient, path: str, headers: Mapping[str, str] | None = None) -> None:
        self._client = client
        self._path = path
        self.credentials = dict(headers or {})
        self._headers = {"MCP-Protocol-Version": VERSION, **self.credentials}
        self._ids = count(1)
        self._listed: dict[str, dict[str, Any]] = {}

    async def post(self, message: Any, **headers: str) -> Response:
        """Send a message, bytes or a document, and return the answer with any status."""
        body = message if isinstance(message, bytes) else orjson.dumps(message)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Content-Type": "application/json", **self._headers, **given}
        response: Response = await self._client.post(self._path, data=body, headers=sent)
        return response

    async def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and return its reply, a result or an error."""
        id = next(self._ids)
        response = await self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})
        reply: dict[str, Any] = await response.get_json()
        assert reply["jsonrpc"] == "2.0", reply
        assert set(reply) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), reply
        assert reply["id"] == id or "error" in reply, reply
        return reply

    async def result(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request that must succeed, and return its result."""
        reply = await self.request(method, params)
        assert "result" in reply, reply
        found: dict[str, Any] = reply["result"]
        return found

    async def error(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool that the client may not call, and return the JSON-RPC error."""
        reply = await self.request("tools/call", {"name": name, "arguments": arguments or {}})
        assert "error" in reply, reply
        found: dict[str, Any] = reply["error"]
        return found

    async def tools(self) -> dict[str, dict[str, Any]]:
        """Return the tools visible to this client by name, in the order of the server."""
        listed: dict[str, dict[str, Any]] = {}
        page: dict[str, Any] = {"nextCursor": None}
        while "nextCursor" in page:
            cursor = page["nextCursor"]
            page = await self.result("tools/list", {} if cursor is None else {"cursor": cursor})
            _check_types("ListToolsResult", page)
            listed |= {tool["name"]: tool for tool in page["tools"]}
        return listed

    async def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool that must succeed, and return its structured content."""
        result = await self._call(name, arguments)
        assert not result["isError"], result
        document: dict[str, Any] = result["structuredContent"]
        if tool := runtime.registry().mcp_tools.get(f"{self._server()}/{name}"):
            _check_schema(name, build_strict_result_schema(tool.result), document)
        return document

    async def refused(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool that must fail, and return its structured content, such as ``message`` and ``code``."""
        result = await self._call(name, arguments)
        assert result["isError"], result
        document: dict[str, Any] = result["structuredContent"]
        return document

    async def _call(self, name: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
        result = await self.result("tools/call", {"name": name, "arguments": arguments or {}})
        _check_types("CallToolResult", result)
        content = result["content"]
        assert [one["type"] for one in content] == ["text"], content
        assert orjson.loads(content[0]["text"]) == result["structuredContent"], result
        if name not in self._listed:
            self._listed = await self.tools()
        _check_schema(name, self._listed[name]["outputSchema"], result["structuredContent"])
        return result

    def _server(self) -> str | None:
        servers = runtime.registry().mcp_servers.values()
        return next((server.name for server in servers if server.path == self._path), None)


def _check_schema(name: str, schema: Mapping[str, Any], document: Any) -> None:
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    assert not problems, f"{name} violates its schema: {problems}"


def _check_types(kind: str, document: Any) -> None:
    # The package is only for tests, and not always installed.
    if find_spec("mcp") is not None:
        getattr(import_module("mcp.types"), kind).model_validate(document)
