"""The tools of one server, as visible to each caller."""

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from cachetools import LRUCache

from comanda.basics.encoding import to_json
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.mcp import McpServer, Tool
from comanda.platform.mcp.jsonrpc import INVALID_PARAMS, RpcError
from comanda.platform.mcp.schemas import build_arguments_schema, build_result_schema

PER_PAGE = 100
# Lists depend on the scopes of the caller, of which there are far fewer combinations.
MAX_CACHED_PAGES = 1000


class ToolSet:
    """Finds and lists tools; tools that a caller may not use are not listed."""

    def __init__(self, server: McpServer, tools: Sequence[Tool]) -> None:
        self._by_name = {tool.name: tool for tool in tools}
        self._records = [(tool.get_access(server), to_json(_describe_tool(tool))) for tool in tools]
        self._pages: LRUCache[tuple[frozenset[str], frozenset[str], str], bytes] = LRUCache(MAX_CACHED_PAGES)
        self.features = frozenset(tool.feature for tool in tools if tool.feature is not None)

    def find(self, name: object) -> Tool:
        """Return a tool. Raises ``RpcError`` if it is unknown."""
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "The name of a tool is required.")
        tool = self._by_name.get(name)
        if tool is None:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:100]}", data={"code": "unknown_tool"})
        return tool

    def page(self, cursor: object, caller: Caller | None, missing: frozenset[str] = frozenset()) -> bytes:
        """Return a page of the list as JSON, without tools whose feature is among those ``missing``.

        Without a cursor it is the first. Raises ``RpcError`` for an invalid cursor.
        """
        if cursor is not None and not isinstance(cursor, str):
            raise _create_invalid_cursor()
        cursor = cursor or ""
        key = (caller.scopes if caller else frozenset(), missing, cursor)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = self._encode_page(_decode_cursor(cursor), caller, missing)
        return page

    def _encode_page(self, offset: int, caller: Caller | None, missing: frozenset[str]) -> bytes:
        visible = [
            json for rule, json in self._records if rule.feature not in missing and rule.find_refusal(caller) is None
        ]
        if offset and offset >= len(visible):
            raise _create_invalid_cursor()
        shown, rest = visible[offset : offset + PER_PAGE], visible[offset + PER_PAGE :]
        following = b',"nextCursor":' + to_json(_encode_cursor(offset + PER_PAGE)) if rest else b""
        return b'{"tools":[' + b",".join(shown) + b"]" + following + b"}"


def _describe_tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": build_arguments_schema(tool.arguments),
        "outputSchema": build_result_schema(tool.result),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.is_read_only,
            "destructiveHint": tool.is_destructive,
            "idempotentHint": tool.is_idempotent or tool.is_read_only,
            "openWorldHint": False,
        },
    }


def _encode_cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(b"from:%d" % offset).decode()


def _decode_cursor(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        label, _, number = base64.b64decode(cursor, altchars=b"-_", validate=True).partition(b":")
    except (binascii.Error, ValueError) as error:
        raise _create_invalid_cursor() from error
    if label != b"from" or not number.isdigit() or len(number) > 6 or int(number) == 0:
        raise _create_invalid_cursor()
    return int(number)


def _create_invalid_cursor() -> RpcError:
    return RpcError(INVALID_PARAMS, "Invalid cursor.", data={"code": "bad_cursor"})
