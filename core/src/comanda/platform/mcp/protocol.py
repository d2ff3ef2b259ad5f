"""Admission to MCP servers: allowed host and origin, rate limits, and a token that the server accepts."""

from __future__ import annotations

import re
from typing import Final

import structlog

from comanda.basics.errors import ComandaError, Forbidden, MethodNotAllowed, Unauthenticated
from comanda.contracts.requests.access import AccessControl, AccessRule
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.mcp import McpServer
from comanda.platform import runtime
from comanda.platform.http.answers import to_public_error
from comanda.platform.mcp import hosts, negotiation
from comanda.platform.mcp.jsonrpc import RpcError, encode_error_frame, to_rpc_error
from comanda.platform.plugin_calls import PluginFailed

log = structlog.get_logger(__name__)

# The scope that a token needs if it acts on behalf of another kind, such as an app; customers have no such scope.
USE_SCOPE: Final = "mcp:use"

# A store in the address of a server, such as /mcp/customer?store=bistro, by the slug of its page.
NAMED_STORE: Final = re.compile(r"store=[A-Za-z0-9%._~-]{1,300}")


def get_bucket(call: Call, what: str = "mcp") -> str:
    """Return the rate limit bucket of the caller, separate from those of the REST API."""
    return f"{what}:{call.caller.limit_bucket}" if call.caller else f"{what}:client:{call.client_network}"


class McpProtocol:
    """The protocol of a server: admission of calls and errors in JSON-RPC."""

    def __init__(self, server: McpServer) -> None:
        self._server = server

    async def admit(self, access: AccessControl, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller``, or raise the error that rejects the call."""
        hosts.check_host(self._server, call)
        try:
            # No token in the query: server URLs are displayed, shared and logged.
            call.caller = await access.identify(self._server.callers, call, in_query=False)
        except Exception:
            await self._count(access, call)
            raise
        await self._count(access, call)
        self._authorize(call, call.caller)
        negotiation.check_version(call)

    async def admit_unknown(self, access: AccessControl, call: Call) -> None:
        """Count a call with another method, such as the GET by which clients probe for streams."""
        hosts.check_host(self._server, call)
        await self._count(access, call)

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of an origin may read the answers."""
        return hosts.is_public_origin(self._server, origin)

    def error_answer(self, error: BaseException, call: Call) -> Answer:
        """Return the answer for an error that affects the whole request."""
        known = error if isinstance(error, RpcError) else to_rpc_error(to_public_error(error), call.request_id)
        if known.status >= 500 and not isinstance(error, PluginFailed):
            log.error("request_failed", path=call.path, request_id=call.request_id, exc_info=error)
        if isinstance(error, MethodNotAllowed):
            known.headers["Allow"] = "POST, OPTIONS"
        return Answer(encode_error_frame(known), known.status, known.headers)

    async def _count(self, access: AccessControl, call: Call) -> None:
        await access.count(call, get_bucket(call), runtime.settings().mcp_messages_per_minute)

    def _authorize(self, call: Call, caller: Caller | None) -> None:
        refusal = self._server.access.find_refusal(caller)
        if isinstance(refusal, Unauthenticated):
            problem = "invalid_token" if "authorization" in call.headers else None
            raise self._add_challenge(call, refusal, error=problem)
        needed = [] if refusal is None else [str(refusal.extras["required"])]
        if caller is not None and _needs_use_scope(self._server, caller) and USE_SCOPE not in caller.scopes:
            needed.append(USE_SCOPE)
        if needed:
            refusal = Forbidden(f"This token lacks the scope {needed[0]}.", extras={"required": needed[0]})
            raise self._add_challenge(call, refusal, error="insufficient_scope", scope=" ".join(needed))

    def _add_challenge(self, call: Call, refusal: ComandaError, **parameters: str | None) -> ComandaError:
        refusal.headers["WWW-Authenticate"] = build_challenge(self._server, call, **parameters)
        return refusal


def build_challenge(server: McpServer, call: Call, **parameters: str | None) -> str:
    """Return the header ``WWW-Authenticate`` of a refusal, which also says where the server is described (RFC 9728).

    A store that the address of the server names belongs to the address of its description.
    """
    site = runtime.settings().site_url
    kinds = runtime.registry().caller_kinds.values()
    places = [kind.resource_metadata for kind in kinds if kind.acts_as in server.callers and kind.resource_metadata]
    query = f"?{call.query_string}" if NAMED_STORE.fullmatch(call.query_string) else ""
    described = {"resource_metadata": f"{site}{places[0]}{server.path}{query}"} if places else {}
    named = {"realm": site, **described, **parameters}
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in named.items() if value is not None)


def _needs_use_scope(server: McpServer, caller: Caller) -> bool:
    return caller.kind not in server.callers and not runtime.registry().caller_kinds[caller.kind].is_customer
