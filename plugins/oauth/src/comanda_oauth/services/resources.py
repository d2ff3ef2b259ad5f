"""Resources: what a token may be limited to, as a client names it (RFC 8707), and where such a token is valid.

Resources are this host as a whole, its REST API, and each MCP server that takes owners.
"""

from typing import Final

from comanda.contracts import API_PREFIX
from comanda.platform import runtime

from comanda_oauth.errors import OAuthError

OWNER: Final = "owner"
METADATA_PATH: Final = "/.well-known/oauth-protected-resource"


def list_paths() -> list[str]:
    """Return the paths of all resources; empty for the whole host."""
    servers = runtime.registry().mcp_servers.values()
    return ["", API_PREFIX, *(server.path for server in servers if OWNER in server.callers)]


def normalize(resource: str | None) -> str | None:
    """Return the path of a resource, None for a token without one.

    Raises ``OAuthError`` with ``invalid_target`` for an address that is no resource of this host.
    """
    if not resource:
        return None
    site = runtime.settings().site_url
    path = resource.removeprefix(site).rstrip("/")
    if not resource.startswith(site) or path not in list_paths():
        raise OAuthError("invalid_target", "The resource is not one of this server.")
    return path or "/"


def to_address(path: str | None) -> str:
    """Return the address of a resource by its path."""
    return runtime.settings().site_url + ("" if path is None or path == "/" else path)


def accepts(resource: str | None, path: str) -> bool:
    """Return whether a token for a resource is valid at a path."""
    if resource is None or resource in ("/", path):
        return True
    return resource == API_PREFIX and path.startswith(f"{resource}/")
