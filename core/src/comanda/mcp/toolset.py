"""The tools of one server, as each caller sees them."""

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.mcp import Tool
from comanda.encoding import to_json
from comanda.mcp.jsonrpc import FORBIDDEN, INVALID_PARAMS, RpcError
from comanda.mcp.schemas import arguments_schema, result_schema

PER_PAGE = 100
# Callers differ by their scopes alone, and there are far fewer combinations of those than this.
LISTS_KEPT = 1000


class ToolSet:
    """Finds and lists tools; what a caller may not use is not listed."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._by_name = {tool.name: tool for tool in tools}
        self._records = [(tool, to_json(_record(tool))) for tool in tools]
        self._lists: dict[tuple[frozenset[str], str], bytes] = {}

    def find(self, name: object, caller: Caller | None) -> Tool:
        """Return a tool. Raises ``RpcError`` for one that is unknown, or that the caller lacks the capability for."""
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "A call names its tool.")
        tool = self._by_name.get(name)
        if tool is None:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:100]}", data={"code": "unknown_tool"})
        if not tool.permits(caller):
            message = f"This token lacks the capability {tool.scope}."
            raise RpcError(FORBIDDEN, message, data={"code": "forbidden", "required": tool.scope})
        return tool

    def page(self, cursor: object, caller: Caller | None) -> bytes:
        """Return a page of the list as JSON, from its start without a cursor. Raises ``RpcError`` for a strange one."""
        if cursor is not None and not isinstance(cursor, str):
            raise _bad_cursor()
        cursor = cursor or ""
        key = (caller.scopes if caller else frozenset(), cursor)
        if key not in self._lists:
            made = self._make_page(_offset(cursor), caller)
            if len(self._lists) >= LISTS_KEPT:
                self._lists.clear()
            self._lists[key] = made
        return self._lists[key]

    def _make_page(self, offset: int, caller: Caller | None) -> bytes:
        visible = [json for tool, json in self._records if tool.permits(caller)]
        if offset and offset >= len(visible):
            raise _bad_cursor()
        shown, rest = visible[offset : offset + PER_PAGE], visible[offset + PER_PAGE :]
        following = b',"nextCursor":' + to_json(_cursor(offset + PER_PAGE)) if rest else b""
        return b'{"tools":[' + b",".join(shown) + b"]" + following + b"}"


def _record(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": arguments_schema(tool.arguments),
        "outputSchema": result_schema(tool.result),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.is_read_only,
            "destructiveHint": tool.is_destructive,
            "idempotentHint": tool.is_idempotent or tool.is_read_only,
            "openWorldHint": False,
        },
    }


def _cursor(offset: int) -> str:
    return base64.urlsafe_b64encode(b"from:%d" % offset).decode()


def _offset(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        label, _, number = base64.b64decode(cursor, altchars=b"-_", validate=True).partition(b":")
    except (binascii.Error, ValueError) as error:
        raise _bad_cursor() from error
    if label != b"from" or not number.isdigit() or len(number) > 6 or int(number) == 0:
        raise _bad_cursor()
    return int(number)


def _bad_cursor() -> RpcError:
    return RpcError(INVALID_PARAMS, "That cursor is not one of ours.", data={"code": "bad_cursor"})
