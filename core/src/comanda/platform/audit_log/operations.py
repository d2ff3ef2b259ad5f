"""Recording of requests to routes and of tool calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.mcp import Arguments, FailedResult, JsonResult, Tool, ToolCall, ToolHandler
from comanda.contracts.requests.routes import Route
from comanda.platform.audit_log import entries
from comanda.platform.audit_log.identifiers import extract_argument_ids, extract_path_ids, to_path_id_names
from comanda.platform.http.answers import to_public_error

# Runs the handler of a route with its arguments.
RouteRunner = Callable[[Mapping[str, Any]], Awaitable[Any]]


class AuditedOperation:
    """A route whose successful requests are recorded."""

    def __init__(self, route: Route) -> None:
        self._action = route.operation_id
        self._id_names = to_path_id_names(route.path)
        self._deletes = route.method == "DELETE" and route.path.endswith("}")

    @staticmethod
    def applies_to(route: Route) -> bool:
        """Return whether a route writes on behalf of its caller."""
        return bool(route.callers) and not route.is_read_only and route.is_rest

    async def run(self, run: RouteRunner, arguments: Mapping[str, Any], call: Call, path: Mapping[str, str]) -> Any:
        """Run the handler and record its writes."""
        entry = entries.start_recording(
            call.caller,
            self._action,
            before_ids=extract_path_ids(self._id_names, path),
            address=call.client,
            request_id=call.request_id,
        )
        if entry is None:
            return await run(arguments)
        with entry:
            try:
                result = await run(arguments)
            except Exception as error:
                await entry.fail(to_public_error(error).code)
                raise
            body, is_replay = result, False
            if isinstance(result, Answer):
                body, is_replay = result.body, "Idempotent-Replayed" in result.headers
            await entry.finish(body, is_replay=is_replay, deletes_last_named=self._deletes)
        return result


async def run_audited_tool(tool: Tool, handler: ToolHandler, call: ToolCall, arguments: Arguments) -> Any:
    """Run the handler of a tool and record its writes."""
    entry = entries.start_recording(
        call.caller,
        f"mcp/{call.server}/{tool.name}",
        before_ids=extract_argument_ids(dict(arguments)),
        address=call.client,
        request_id=call.request_id,
    )
    if entry is None:
        return await handler(call, arguments)
    with entry:
        try:
            result = await handler(call, arguments)
        except Exception as error:
            await entry.fail(to_public_error(error).code)
            raise
        if isinstance(result, FailedResult):
            await entry.fail("failed")
        else:
            document = result.json if isinstance(result, JsonResult) else result
            await entry.finish(document, deletes_last_named=tool.name.startswith("delete_"))
    return result
