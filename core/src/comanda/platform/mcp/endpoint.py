"""The stateless endpoint of one MCP server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import structlog

import comanda
from comanda.basics.encoding import to_json
from comanda.basics.errors import Forbidden
from comanda.contracts.requests.calls import JSON, Answer, Call
from comanda.contracts.requests.mcp import McpServer, Tool, ToolCall
from comanda.platform import runtime
from comanda.platform.entitlements import find_missing_features
from comanda.platform.http.access import authorize
from comanda.platform.http.answers import to_public_error
from comanda.platform.mcp import jsonrpc
from comanda.platform.mcp.jsonrpc import (
    FORBIDDEN,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    RpcError,
    RpcRequest,
)
from comanda.platform.mcp.negotiation import (
    EVENT_STREAM,
    FIRST_VERSION_WITHOUT_BATCHES,
    LATEST_VERSION,
    VERSIONS,
    choose_content_type,
    get_version,
)
from comanda.platform.mcp.protocol import build_challenge, get_bucket
from comanda.platform.mcp.tool_calls import run_tool_call
from comanda.platform.mcp.toolset import ToolSet
from comanda.platform.plugin_calls import PluginFailed

log = structlog.get_logger(__name__)

MAX_BATCH_MESSAGES: Final = 20


class McpEndpoint:
    """Answers the JSON-RPC messages of one server."""

    def __init__(self, server: McpServer, tools: Sequence[Tool]) -> None:
        self._server = server
        self._tools = ToolSet(server, tools)

    async def answer(self, call: Call) -> Answer:
        """Return the answer to a message or a batch."""
        message = jsonrpc.parse_body(call.body)
        if isinstance(message, list):
            return await self._answer_batch(message, call)
        request = jsonrpc.parse_request(message)
        if request is None:
            return Answer(status=202)
        try:
            await self._count_calls([request], call)
            frame = jsonrpc.encode_result_frame(request.id, await self._handle_request(request, call))
        except Exception as error:
            known = _to_known_error(error, request, call)
            frame = jsonrpc.encode_error_frame(known)
            if known.status >= 400:
                return Answer(frame, known.status, known.headers)
        return _to_answer(frame, call)

    async def _answer_batch(self, messages: list[Any], call: Call) -> Answer:
        if get_version(call) == FIRST_VERSION_WITHOUT_BATCHES:
            raise RpcError(
                INVALID_REQUEST, f"Batches are not supported since {FIRST_VERSION_WITHOUT_BATCHES}.", status=400
            )
        if not 1 <= len(messages) <= MAX_BATCH_MESSAGES:
            raise RpcError(INVALID_REQUEST, f"A batch must contain 1 to {MAX_BATCH_MESSAGES} messages.", status=400)
        # The gateway has already counted one of them.
        limit = runtime.settings().mcp_messages_per_minute
        await call.count(get_bucket(call), limit, len(messages) - 1, is_exact=False)
        read = [_parse_member(message) for message in messages]
        await self._count_calls([one for one in read if isinstance(one, RpcRequest)], call)
        frames = [await self._answer_member(one, call) for one in read if one is not None]
        return _to_answer(b"[" + b",".join(frames) + b"]", call) if frames else Answer(status=202)

    async def _answer_member(self, member: RpcRequest | RpcError, call: Call) -> bytes:
        if isinstance(member, RpcError):
            return jsonrpc.encode_error_frame(member)
        try:
            if member.method == "initialize":
                raise RpcError(INVALID_REQUEST, "initialize must not be part of a batch.")
            return jsonrpc.encode_result_frame(member.id, await self._handle_request(member, call))
        except Exception as error:
            return jsonrpc.encode_error_frame(_to_known_error(error, member, call))

    async def _count_calls(self, requests: Sequence[RpcRequest], call: Call) -> None:
        settings = runtime.settings()
        limit = settings.mcp_calls_per_minute if self._server.callers else settings.mcp_public_calls_per_minute
        cost = sum(request.method == "tools/call" for request in requests)
        await call.count(get_bucket(call, "mcp-call"), limit, cost, is_exact=False)

    async def _handle_request(self, request: RpcRequest, call: Call) -> bytes:
        params = request.params
        if request.method == "tools/call":
            return await self._call_tool(params, call)
        if request.method == "tools/list":
            return await self._list_tools(params, call)
        if request.method == "initialize":
            return self._initialize(params)
        if request.method == "ping":
            return b"{}"
        raise RpcError(METHOD_NOT_FOUND, f"Unknown method: {request.method[:100]}")

    async def _list_tools(self, params: Any, call: Call) -> bytes:
        features, caller = self._tools.features, call.caller
        missing = await find_missing_features(caller, features) if caller is not None and features else frozenset()
        return self._tools.page(params.get("cursor"), call.caller, missing)

    async def _call_tool(self, params: Any, call: Call) -> bytes:
        tool = self._tools.find(params.get("name"))
        await self._authorize(tool, call)
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "The arguments of a tool must be an object.")
        who = ToolCall(call.caller, self._server.name, call.request_id, call.client, call)
        return await run_tool_call(tool, who, arguments or {})

    async def _authorize(self, tool: Tool, call: Call) -> None:
        caller, rule = call.caller, tool.get_access(self._server)
        try:
            await authorize(rule, caller)
        except Forbidden as error:
            refusal = RpcError(FORBIDDEN, error.message, data={"code": error.code, **error.extras})
            if "required" in error.extras and caller is not None and caller.acts_as is not None:
                # An agent that acts for somebody asks that person for more, so its client must see it (RFC 6750).
                scope = " ".join(sorted({*caller.scopes, rule.scopes[-1]}))
                challenge = build_challenge(self._server, call, error="insufficient_scope", scope=scope)
                refusal.status, refusal.headers["WWW-Authenticate"] = 403, challenge
            raise refusal from error

    def _initialize(self, params: Any) -> bytes:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise RpcError(INVALID_PARAMS, "protocolVersion is required.")
        return to_json(
            {
                "protocolVersion": wanted if wanted in VERSIONS else LATEST_VERSION,
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {
                    "name": f"comanda-{self._server.name}",
                    "title": self._server.title,
                    "version": comanda.__version__,
                },
                "instructions": self._server.instructions,
            }
        )


def _parse_member(message: Any) -> RpcRequest | RpcError | None:
    try:
        return jsonrpc.parse_request(message)
    except RpcError as error:
        return error


def _to_known_error(error: Exception, request: RpcRequest, call: Call) -> RpcError:
    if not isinstance(error, RpcError):
        known = to_public_error(error)
        if known.status >= 500 and not isinstance(error, PluginFailed):
            log.error("mcp_request_failed", method=request.method, request_id=call.request_id, exc_info=error)
        error = jsonrpc.to_rpc_error(known, call.request_id)
    error.id = request.id
    return error


def _to_answer(frame: bytes, call: Call) -> Answer:
    form = choose_content_type(call.headers.get("accept", ""))
    if form == EVENT_STREAM:
        return Answer(b"event: message\ndata: " + frame + b"\n\n", content_type=EVENT_STREAM)
    return Answer(frame, content_type=JSON)
