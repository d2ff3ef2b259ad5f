"""MCP servers and tools as plugins declare them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from comanda.basics.errors import ComandaError, Unauthenticated
from comanda.contracts.requests.access import AccessRule
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.wire import to_wire

# Servers that a tool may name although they are not installed; it is served where they are.
KNOWN_SERVERS: Final = frozenset({"admin", "storefront", "customer", "catalog", "dev"})


@dataclass(frozen=True, slots=True)
class McpServer:
    """An address at which agents of one audience find tools.

    ``path`` starts at the host root. ``callers`` are codes of caller kinds, none for a public server; ``scope`` is what
    their token needs for every call, whatever the tool. ``instructions`` tell an agent how the tools work together.
    With ``is_cors`` the pages of the origins that the setting ``mcp_public_origins`` names may call it from a browser.
    """

    name: str
    path: str
    title: str
    instructions: str
    callers: tuple[str, ...] = ()
    scope: str | None = None
    is_cors: bool = False

    @property
    def access(self) -> AccessRule:
        """Who may use it."""
        return AccessRule(self.callers, () if self.scope is None else (self.scope,))


class Arguments(BaseModel):
    """Base of what a tool takes. Each field says in its ``description`` what it means, units included.

    A name that is not a field is refused, so that an agent learns that it guessed wrong. A field that may be left out
    has a default; one that is ``X | None = None`` is shown to agents as an optional ``X``.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Who calls a tool: the caller, the server's name, the client's address, and the request that it came in."""

    caller: Caller | None
    server: str
    request_id: str
    client: str
    http: Call | None = None

    @property
    def known_caller(self) -> Caller:
        """The caller on a server that takes callers. Raises ``Unauthenticated`` on a public one."""
        if self.caller is None:
            raise Unauthenticated
        return self.caller


@dataclass(frozen=True, slots=True)
class JsonResult:
    """A result that is JSON already: the bytes of one object."""

    json: bytes


@dataclass(frozen=True, slots=True)
class FailedResult:
    """A result with the tool's own fields that tells why its main act did not happen, such as in ``messages``."""

    result: object


class ToolRefused(ComandaError):
    """A refusal with a code of the tool's own, such as ``price_changed``; extras stand beside message and code."""

    status = 409

    def __init__(self, message: str, code: str, **extras: object) -> None:
        super().__init__(message, extras=extras)
        self.code = code


# A record or a mapping of what the tool's ``result`` describes, ``JsonResult`` or ``FailedResult``.
ToolHandler = Callable[[ToolCall, Any], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that an agent can do.

    ``name`` is unique on each of its ``servers``. ``handler(call, arguments)`` gets an instance of ``arguments`` and
    returns what ``result``, a record or a pydantic model, describes: a record, a mapping, ``JsonResult`` or
    ``FailedResult``. An error that it raises reaches the agent as a result with ``isError`` and the envelope's
    ``message``, ``code`` and ``errors``.

    ``scope`` is what the caller's token needs; without it the tool is not listed. None is for every caller of the
    server, except for programs that act on behalf of one. The coarse ones, ``read`` and ``write``, are satisfied by the
    same of ``resource`` too: ``menu:write`` does for ``write`` of the resource ``menu``.

    Owners who are not entitled to its ``feature`` do not see the tool, and cannot call it.

    The hints tell agents when to ask a person first: ``is_read_only`` changes nothing, ``is_destructive`` takes
    something away, ``is_idempotent`` may be repeated.
    """

    name: str
    title: str
    description: str
    servers: tuple[str, ...]
    arguments: type[Arguments]
    result: type
    handler: ToolHandler
    scope: str | None = None
    resource: str | None = None
    is_read_only: bool = False
    is_destructive: bool = False
    is_idempotent: bool = False
    feature: str | None = None

    async def run(self, call: ToolCall, arguments: Arguments) -> Any:
        """Call the handler and return its result, with records converted to the declared result."""
        result = await self.handler(call, arguments)
        if isinstance(result, JsonResult):
            return result
        if isinstance(result, FailedResult):
            return FailedResult(to_wire(self.result, result.result))
        return to_wire(self.result, result)

    def get_access(self, server: McpServer) -> AccessRule:
        """Return who may call it on a server; the narrowest scope is the last."""
        coarse = () if self.scope is None else (self.scope,)
        narrow = () if self.resource is None else tuple(f"{self.resource}:{scope}" for scope in coarse)
        return AccessRule(server.callers, (*coarse, *narrow), self.feature, is_delegable=self.scope is not None)
