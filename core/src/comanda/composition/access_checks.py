"""Rules of declarations about who may do what: caller kinds, scopes, and whatever requires them."""

import re
from collections.abc import Collection
from typing import Final

from pydantic import BaseModel

from comanda.basics.startup_errors import InvalidDeclaration, UnknownReference
from comanda.composition.declaration_checks import CORE, Declared, Found, event_name, unique
from comanda.contracts.background.events import Event, Personal
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.mcp import Tool
from comanda.contracts.requests.routes import ANY_SCOPE, Route, Routes
from comanda.contracts.scopes import ACTIONS, Scope
from comanda.platform.mcp.servers import check_servers, check_tool

TOKEN_PREFIX: Final = re.compile(r"[a-z0-9]+_")
SCOPE_NAME: Final = re.compile(r"(?=.{1,50}$)[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*)?")


def caller_kinds(found: Found, _declared: Declared) -> None:
    """Tokens are told apart by their prefix up to the underscore, and found in the header that their kind names."""
    unique(found, "token prefix", lambda kind: [kind.prefix])
    for plugin, kind in found.values():
        _caller_kind(plugin, kind, found)


def _caller_kind(plugin: str, kind: CallerKind, known: Collection[str]) -> None:
    if not TOKEN_PREFIX.fullmatch(kind.prefix):
        raise InvalidDeclaration(
            f"Plugin {plugin}: the caller kind {kind.code} has the prefix {kind.prefix!r}; it must be lower-case "
            "letters or digits and one underscore at the end.",
            plugin,
        )
    if kind.header != kind.header.lower():
        raise InvalidDeclaration(
            f"Plugin {plugin}: the caller kind {kind.code} names the header {kind.header}; write it in lower case.",
            plugin,
        )
    if kind.acts_as is not None and kind.acts_as not in known:
        raise UnknownReference(
            f"Plugin {plugin}: the caller kind {kind.code} acts as {kind.acts_as}, which no plugin declares.", plugin
        )


def scope(plugin: str, scope: Scope, declared: Declared) -> None:
    """A scope has a readable name, and the kinds of tokens that carry it are declared."""
    if not SCOPE_NAME.fullmatch(scope.name) and plugin != CORE:
        raise InvalidDeclaration(
            f"Plugin {plugin}: the scope {scope.name!r} needs a name such as bookings:read: lower-case letters, digits "
            "and underscores.",
            plugin,
        )
    if scope.name == ANY_SCOPE or not (scope.label and scope.kinds):
        raise InvalidDeclaration(
            f"Plugin {plugin}: the scope {scope.name} needs a label, caller kinds, and a name other than {ANY_SCOPE}.",
            plugin,
        )
    if unknown := [kind for kind in scope.kinds if kind not in declared["caller_kinds"]]:
        raise UnknownReference(
            f"Plugin {plugin}: the scope {scope.name} is for tokens of the kind {unknown[0]}, "
            "which no plugin declares.",
            plugin,
        )


def require_scope(plugin: str, what: str, scope: str | None, kinds: Collection[str], declared: Declared) -> None:
    """Raise ``UnknownReference`` unless tokens of each of these kinds may carry a scope that ``what`` requires."""
    if scope is None or scope == ANY_SCOPE:
        return
    if lacking := [kind for kind in kinds if f"{kind}/{scope}" not in declared["scopes"]]:
        raise UnknownReference(
            f"Plugin {plugin}: {what} requires the scope {scope}, which no plugin declares for tokens of the kind "
            f"{lacking[0]}.",
            plugin,
        )


def routes(plugin: str, group: Routes, declared: Declared) -> None:
    """A route that takes callers names the scope they need."""
    for route in group:
        _route(plugin, route, declared)


def _route(plugin: str, route: Route, declared: Declared) -> None:
    where = f"Plugin {plugin}: {route.method} {route.full_path}"
    if route.callers and route.scope is None:
        raise InvalidDeclaration(f"{where} declares no scope.", plugin)
    if unknown := [code for code in route.callers if code not in declared["caller_kinds"]]:
        raise UnknownReference(f"{where} takes callers of the kind {unknown[0]}, which no plugin declares.", plugin)
    what = f"{route.method} {route.full_path}"
    require_scope(plugin, what, route.scope, route.callers, declared)
    _require_feature(plugin, what, route.feature, route.callers, declared)


def _require_feature(
    plugin: str, what: str, feature: str | None, kinds: Collection[str] | None, declared: Declared
) -> None:
    if feature is not None and feature not in declared["entitlements"]:
        raise UnknownReference(
            f"Plugin {plugin}: {what} needs the feature {feature}, which no plugin declares.", plugin
        )
    if feature is not None and kinds is not None and not kinds:
        raise InvalidDeclaration(
            f"Plugin {plugin}: {what} needs the feature {feature} of callers, and takes none.", plugin
        )


def addresses(found: Found, _declared: Declared) -> None:
    """No request may fit two routes, and no two operations have one name; an undocumented alias keeps its route's."""
    unique(found, "route", lambda route: [f"{route.method} " + re.sub(r"\{\w+\}", "{}", route.full_path)])
    unique(found, "operation", lambda route: [route.operation_id] if route.is_documented else [])


def event(plugin: str, event: type[Event], declared: Declared) -> None:
    """An event requires scopes that an owner's token may carry, for itself and for its personal data."""
    named = [event.scope, *_personal_scopes(event)] if hasattr(event, "scope") else []
    for scope in named:
        require_scope(plugin, f"the event {event_name(event)}", scope, ("owner",), declared)


def _personal_scopes(model: type[BaseModel]) -> list[str]:
    return [
        mark.scope for field in model.model_fields.values() for mark in field.metadata if isinstance(mark, Personal)
    ]


def mcp_servers(found: Found, declared: Declared) -> None:
    """A server has a path of its own, and takes callers that may carry the scope it requires."""
    check_servers(found, declared)
    for plugin, server in found.values():
        require_scope(plugin, f"the MCP server {server.name}", server.scope, server.callers, declared)


def mcp_tool(plugin: str, tool: Tool, declared: Declared) -> None:
    """A tool is described, and requires a scope that callers of its servers may carry."""
    check_tool(plugin, tool, declared)
    servers = declared["mcp_servers"]
    kinds = [kind for name in tool.servers if name in servers for kind in servers[name][1].callers]
    scopes = [tool.scope]
    if tool.resource is not None and tool.scope in ACTIONS:
        scopes.append(f"{tool.resource}:{tool.scope}")
    for scope in scopes:
        require_scope(plugin, f"the MCP tool {tool.name}", scope, kinds, declared)
    # A tool whose servers are not installed is on none, so nobody calls it.
    callers = kinds if any(name in servers for name in tool.servers) else None
    _require_feature(plugin, f"the MCP tool {tool.name}", tool.feature, callers, declared)
