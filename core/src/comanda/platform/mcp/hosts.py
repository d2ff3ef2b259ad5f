"""Allowed hosts and origins of MCP servers: protection of local servers against DNS rebinding and foreign pages."""

from functools import lru_cache
from urllib.parse import urlsplit

from comanda.basics.errors import ComandaError, Forbidden
from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.mcp import McpServer
from comanda.platform import runtime

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_HOST = "*"


class Misdirected(ComandaError):
    """The host name of the request is not one of ours, as in a DNS rebinding attack."""

    status, code = 421, "misdirected_request"
    message = "This host name is not allowed. Add it to COMANDA_PUBLIC_URL or COMANDA_MCP_ALLOWED_HOSTS."


def check_host(server: McpServer, call: Call) -> None:
    """Raise ``Misdirected`` for an unknown ``Host`` and ``Forbidden`` for an ``Origin`` that is not allowed."""
    settings = runtime.settings()
    allowed = _list_allowed_hosts(settings.site_url, tuple(settings.mcp_allowed_hosts))
    if _parse_host(call.headers.get("host", "")) not in allowed and ANY_HOST not in allowed:
        raise Misdirected
    origin = call.headers.get("origin")
    if origin is None or ANY_HOST in allowed or origin in settings.cors_origins or is_public_origin(server, origin):
        return
    if _parse_host(origin.partition("://")[2]) not in allowed:
        raise Forbidden(
            "Pages of this origin are not allowed to call this server.", extras={"reason": "origin_not_allowed"}
        )


def is_public_origin(server: McpServer, origin: str) -> bool:
    """Return whether pages of an origin may call this public server."""
    origins = runtime.settings().mcp_public_origins
    return server.is_cors and (ANY_HOST in origins or origin in origins)


@lru_cache(maxsize=16)
def _list_allowed_hosts(site_url: str, configured: tuple[str, ...]) -> frozenset[str]:
    return (
        LOOPBACK_HOSTS
        | {_parse_host(urlsplit(site_url).netloc)}
        | {ANY_HOST if name == ANY_HOST else _parse_host(name) for name in configured}
    )


@lru_cache(maxsize=1000)
def _parse_host(authority: str) -> str:
    """Return the host name without its port, or an empty string, which is never allowed."""
    try:
        return (urlsplit(f"//{authority}").hostname or "").rstrip(".")
    except ValueError:
        return ""
