"""Who may speak to a server: right host, right origin, within the limits, with a token that the server takes."""

from __future__ import annotations

from typing import Final

import structlog

from comanda import runtime
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.mcp import McpServer
from comanda.contracts.protocols import Dialect
from comanda.contracts.routes import Route
from comanda.errors import ComandaError, Forbidden, MethodNotAllowed, Unauthenticated
from comanda.http.access import Access
from comanda.http.answers import to_public_error
from comanda.mcp import hosts, negotiation
from comanda.mcp.jsonrpc import RpcError, error_frame, translated

log = structlog.get_logger(__name__)

# What a token must carry that acts on behalf of another kind, such as an app's.
USE_SCOPE: Final = "mcp:use"


def bucket(call: Call, what: str = "mcp") -> str:
    """Name the bucket of whoever calls; it shares nothing with the REST API's."""
    return f"{what}:token:{call.caller.token_id}" if call.caller else f"{what}:client:{call.client_network}"


class Manners(Dialect):
    """How a server admits calls, and tells errors in JSON-RPC."""

    def __init__(self, server: McpServer) -> None:
        self._server = server

    async def admit(self, access: Access, route: Route, call: Call) -> None:
        """Set ``call.caller``, or raise what refuses the call."""
        hosts.check_host(self._server, call)
        try:
            # A query is no place for a token here: addresses of servers are shown, shared and logged.
            call.caller = await access.identify(self._server.callers, call, in_query=False)
        except Exception:
            await self._count(access, call)
            raise
        await self._count(access, call)
        if self._server.callers:
            self._authorise(call, call.caller)
        negotiation.check_version(call)

    async def admit_unknown(self, access: Access, call: Call) -> None:
        """Count a GET or the like, by which clients ask for what we do not have."""
        hosts.check_host(self._server, call)
        await self._count(access, call)

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of an origin may read the answers."""
        return hosts.is_public_origin(self._server, origin)

    def error_answer(self, error: Exception, call: Call) -> Answer:
        """Tell an error that keeps the whole request from being read."""
        known = error if isinstance(error, RpcError) else translated(to_public_error(error), call.request_id)
        if known.status >= 500:
            log.error("request_failed", path=call.path, request_id=call.request_id, exc_info=error)
        if isinstance(error, MethodNotAllowed):
            known.headers["Allow"] = "POST, OPTIONS"
        return Answer(error_frame(known), known.status, known.headers)

    async def _count(self, access: Access, call: Call) -> None:
        await access.count(call, bucket(call), runtime.settings().mcp_messages_per_minute)

    def _authorise(self, call: Call, caller: Caller | None) -> None:
        if caller is None:
            raise _challenging(Unauthenticated(), "invalid_token" if "authorization" in call.headers else None)
        needed = [] if self._server.scope is None or caller.may(self._server.scope) else [self._server.scope]
        if caller.kind not in self._server.callers and USE_SCOPE not in caller.scopes:
            needed.append(USE_SCOPE)
        if needed:
            refusal = Forbidden(f"This token lacks the scope {needed[0]}.", extras={"required": needed[0]})
            raise _challenging(refusal, "insufficient_scope", " ".join(needed))


def _challenging(refusal: ComandaError, problem: str | None, scope: str | None = None) -> ComandaError:
    parameters = {"realm": runtime.settings().site_url, "error": problem, "scope": scope}
    said = ", ".join(f'{name}="{value}"' for name, value in parameters.items() if value is not None)
    refusal.headers["WWW-Authenticate"] = f"Bearer {said}"
    return refusal
