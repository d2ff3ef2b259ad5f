"""Which names a server answers to, and which pages may call it: what keeps a foreign page out of a local server."""

from functools import lru_cache
from urllib.parse import urlsplit

from comanda import runtime
from comanda.contracts.calls import Call
from comanda.contracts.mcp import McpServer
from comanda.errors import ComandaError, Forbidden

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ANY = "*"


class Misdirected(ComandaError):
    """The request was sent to a name that is not ours, as a page does that has its own name point at this machine."""

    status, code = 421, "misdirected_request"
    message = "No MCP server answers to that host name. COMANDA_PUBLIC_URL and COMANDA_MCP_ALLOWED_HOSTS name them."


def check_host(server: McpServer, call: Call) -> None:
    """Raise ``Misdirected`` for a foreign ``Host``, and ``Forbidden`` for an ``Origin`` that is not let in."""
    settings = runtime.settings()
    allowed = _allowed(settings.site_url, tuple(settings.mcp_allowed_hosts))
    if _name(call.headers.get("host", "")) not in allowed and ANY not in allowed:
        raise Misdirected
    origin = call.headers.get("origin")
    if origin is None or ANY in allowed or origin in settings.cors_origins or is_public_origin(server, origin):
        return
    if _name(origin.partition("://")[2]) not in allowed:
        raise Forbidden("Pages of that origin may not call this server.", extras={"reason": "origin_not_allowed"})


def is_public_origin(server: McpServer, origin: str) -> bool:
    """Return whether the operator lets pages of an origin call this public server."""
    origins = runtime.settings().mcp_public_origins
    return server.is_cors and (ANY in origins or origin in origins)


@lru_cache(maxsize=16)
def _allowed(site_url: str, configured: tuple[str, ...]) -> frozenset[str]:
    return LOOPBACK | {_name(urlsplit(site_url).netloc)} | {ANY if name == ANY else _name(name) for name in configured}


@lru_cache(maxsize=1000)
def _name(authority: str) -> str:
    """Return the host's name without its port, or an empty text, which nobody answers to."""
    try:
        return (urlsplit(f"//{authority}").hostname or "").rstrip(".")
    except ValueError:
        return ""
