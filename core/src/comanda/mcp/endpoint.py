"""One server's address: messages in, replies out, nothing remembered in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import structlog

import comanda
from comanda import runtime
from comanda.contracts.calls import JSON, Answer, Call
from comanda.contracts.mcp import McpServer, Tool, ToolCall
from comanda.encoding import to_json
from comanda.http.answers import to_public_error
from comanda.mcp import jsonrpc
from comanda.mcp.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Request, RpcError
from comanda.mcp.negotiation import EVENT_STREAM, LATEST, VERSIONS, WITHOUT_BATCHES, answer_form, version
from comanda.mcp.protocol import bucket
from comanda.mcp.tool_calls import run_tool_call
from comanda.mcp.toolset import ToolSet

log = structlog.get_logger(__name__)

MOST_IN_A_BATCH: Final = 20


class Endpoint:
    """Answers for one server."""

    def __init__(self, server: McpServer, tools: Sequence[Tool]) -> None:
        self._server = server
        self._tools = ToolSet(tools)

    async def answer(self, call: Call) -> Answer:
        """Answer an agent's message, or several."""
        message = jsonrpc.read(call.body)
        if isinstance(message, list):
            return await self._answer_batch(message, call)
        request = jsonrpc.request(message)
        if request is None:
            return Answer(status=202)
        try:
            await self._count_calls([request], call)
            frame = jsonrpc.result_frame(request.id, await self._result(request, call))
        except Exception as error:
            known = _known(error, request, call)
            frame = jsonrpc.error_frame(known)
            if known.status >= 400:
                return Answer(frame, known.status, known.headers)
        return _framed(frame, call)

    async def _answer_batch(self, messages: list[Any], call: Call) -> Answer:
        if version(call) == WITHOUT_BATCHES:
            raise RpcError(INVALID_REQUEST, f"There are no batches since {WITHOUT_BATCHES}.", status=400)
        if not 1 <= len(messages) <= MOST_IN_A_BATCH:
            raise RpcError(INVALID_REQUEST, f"A batch has 1 to {MOST_IN_A_BATCH} messages.", status=400)
        # The gateway has counted one of them already.
        await call.count(bucket(call), runtime.settings().mcp_messages_per_minute, len(messages) - 1)
        read = [_read_member(message) for message in messages]
        await self._count_calls([one for one in read if isinstance(one, Request)], call)
        frames = [await self._reply(one, call) for one in read if one is not None]
        return _framed(b"[" + b",".join(frames) + b"]", call) if frames else Answer(status=202)

    async def _reply(self, member: Request | RpcError, call: Call) -> bytes:
        if isinstance(member, RpcError):
            return jsonrpc.error_frame(member)
        try:
            if member.method == "initialize":
                raise RpcError(INVALID_REQUEST, "An initialize stands alone.")
            return jsonrpc.result_frame(member.id, await self._result(member, call))
        except Exception as error:
            return jsonrpc.error_frame(_known(error, member, call))

    async def _count_calls(self, requests: Sequence[Request], call: Call) -> None:
        settings = runtime.settings()
        limit = settings.mcp_calls_per_minute if self._server.callers else settings.mcp_public_calls_per_minute
        await call.count(bucket(call, "mcp-call"), limit, sum(request.method == "tools/call" for request in requests))

    async def _result(self, request: Request, call: Call) -> bytes:
        params = request.params
        if request.method == "tools/call":
            return await self._call_tool(params, call)
        if request.method == "tools/list":
            return self._tools.page(params.get("cursor"), call.caller)
        if request.method == "initialize":
            return self._initialize(params)
        if request.method == "ping":
            return b"{}"
        raise RpcError(METHOD_NOT_FOUND, f"Unknown method: {request.method[:100]}")

    async def _call_tool(self, params: Any, call: Call) -> bytes:
        tool = self._tools.find(params.get("name"), call.caller)
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "The arguments of a tool are an object.")
        who = ToolCall(call.caller, self._server.name, call.request_id, call.client, call)
        return await run_tool_call(tool, who, arguments or {})

    def _initialize(self, params: Any) -> bytes:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise RpcError(INVALID_PARAMS, "Say which protocolVersion you speak.")
        return to_json(
            {
                "protocolVersion": wanted if wanted in VERSIONS else LATEST,
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {
                    "name": f"comanda-{self._server.name}",
                    "title": self._server.title,
                    "version": comanda.__version__,
                },
                "instructions": self._server.instructions,
            }
        )


def _read_member(message: Any) -> Request | RpcError | None:
    try:
        return jsonrpc.request(message)
    except RpcError as error:
        return error


def _known(error: Exception, request: Request, call: Call) -> RpcError:
    if not isinstance(error, RpcError):
        known = to_public_error(error)
        if known.status >= 500:
            log.error("mcp_request_failed", method=request.method, request_id=call.request_id, exc_info=error)
        error = jsonrpc.translated(known, call.request_id)
    error.id = request.id
    return error


def _framed(frame: bytes, call: Call) -> Answer:
    form = answer_form(call.headers.get("accept", ""))
    if form == EVENT_STREAM:
        return Answer(b"event: message\ndata: " + frame + b"\n\n", content_type=EVENT_STREAM)
    return Answer(frame, content_type=JSON)
