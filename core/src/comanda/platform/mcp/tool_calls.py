"""Calls of tools: validation of arguments, the result, and the line in the audit log."""

import hashlib
from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Any, Final

import orjson
import structlog
from pydantic import ValidationError

from comanda.basics.encoding import to_json
from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.mcp import Arguments, FailedResult, JsonResult, Tool, ToolCall
from comanda.contracts.requests.validation import error_sentences
from comanda.platform import runtime, tracing
from comanda.platform.audit_log import operations
from comanda.platform.deadlines import Deadline, DeadlineExceeded, current_deadline
from comanda.platform.http.answers import create_timeout_error, to_public_error
from comanda.platform.mcp.jsonrpc import to_rpc_error
from comanda.platform.mcp.results import encode_ready_result, encode_result
from comanda.platform.observability import AUDIT, plugin_var
from comanda.platform.plugin_calls import PluginFailed, plugin_context

log = structlog.get_logger(__name__)

SHARE_OF_REQUEST: Final = 0.95


async def run_tool_call(tool: Tool, call: ToolCall, given: Mapping[str, Any]) -> bytes:
    """Call a tool and return its result or refusal as JSON.

    Raises ``RpcError`` only for internal errors, such as an unavailable database.
    """
    with plugin_context(runtime.registry().plugin_of(tool)), tracing.span(f"tool {tool.name}"):
        return await _run_tool_call(tool, call, given)


async def _run_tool_call(tool: Tool, call: ToolCall, given: Mapping[str, Any]) -> bytes:
    started = perf_counter()
    try:
        arguments = _validate(tool.arguments, given)
        handler = partial(_run_in_time, tool)
        if tool.is_read_only:
            result = await handler(call, arguments)
        else:
            result = await operations.run_audited_tool(tool, handler, call, arguments)
    except (Exception, SystemExit) as error:
        refusal = to_public_error(error)
        _log_call(tool, call, given, refusal.code, started)
        if refusal.status >= 500 and not isinstance(error, PluginFailed):
            log.error("mcp_tool_failed", tool=tool.name, request_id=call.request_id, exc_info=error)
            raise to_rpc_error(refusal, call.request_id) from error
        return encode_result(to_json(refusal.envelope()), is_error=True)
    _log_call(tool, call, given, "failed" if isinstance(result, FailedResult) else "ok", started)
    if isinstance(result, JsonResult):
        return encode_ready_result(result.json)
    if isinstance(result, FailedResult):
        return encode_result(to_json(result.result), is_error=True)
    return encode_result(to_json(result), is_error=False)


async def _run_in_time(tool: Tool, call: ToolCall, arguments: Arguments) -> Any:
    """Call the tool's handler within the time limit of a request."""
    seconds = runtime.settings().request_timeout_seconds
    request = current_deadline()
    # Ends before the request that it is part of, so that the log names the tool.
    limit = seconds if request is None else min(seconds, request.get_remaining_seconds() * SHARE_OF_REQUEST)
    try:
        with Deadline(limit):
            return await tool.run(call, arguments)
    except DeadlineExceeded as error:
        raise create_timeout_error(seconds) from error


def _validate(model: type[Arguments], given: Mapping[str, Any]) -> Arguments:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = error_sentences(error)
        optional = {field.alias or name for name, field in model.model_fields.items() if not field.is_required()}
        # Many clients send null for what they leave out.
        refused = {name for name in optional & problems.keys() if given.get(name, ...) is None}
        if refused:
            return _validate(model, {name: value for name, value in given.items() if name not in refused})
        known = [field.alias or name for name, field in model.model_fields.items()]
        for name in given.keys() & problems.keys() - set(known):
            problems[name] = [f"Unknown argument. Valid arguments: {', '.join(known) or 'none'}."]
        raise ValidationFailed(problems) from error


def _log_call(tool: Tool, call: ToolCall, given: Mapping[str, Any], outcome: str, started: float) -> None:
    AUDIT.write(
        "mcp_tool_call",
        server=call.server,
        tool=tool.name,
        caller=call.caller.actor if call.caller else None,
        client=call.client,
        arguments_sha256=hashlib.sha256(orjson.dumps(given, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16],
        outcome=outcome,
        ms=round((perf_counter() - started) * 1000, 1),
        request_id=call.request_id,
        plugin=plugin_var.get(),
    )
