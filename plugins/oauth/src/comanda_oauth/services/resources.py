"""Resources: what a token may be limited to, as a client names it (RFC 8707), and where such a token is valid.

Resources are this host as a whole, its REST API, and each MCP server that takes owners or customers. The address of a
server for customers may name their store, as in ``/mcp/customer?store=bistro``; tokens are of one store anyway.
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qs, quote

from comanda.contracts import API_PREFIX
from comanda.platform import runtime

from comanda_oauth.errors import OAuthError
from comanda_oauth.services.grantors import CUSTOMER, GRANTORS

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"
# The parameter of an address, or of an authorization request, that names the store of a customer.
STORE: Final = "store"


def list_paths() -> list[str]:
    """Return the paths of all resources; empty for the whole host."""
    kinds = {grantor.caller_kind for grantor in GRANTORS}
    servers = runtime.registry().mcp_servers.values()
    return ["", API_PREFIX, *(server.path for server in servers if kinds & set(server.callers))]


def get_callers(path: str | None) -> Sequence[str]:
    """Return the kinds of callers of a resource that is a server, none for any other."""
    return next((server.callers for server in runtime.registry().mcp_servers.values() if server.path == path), ())


def normalize(resource: str | None) -> str | None:
    """Return the path of a resource, None for a token without one.

    Raises ``OAuthError`` with ``invalid_target`` for an address that is no resource of this host.
    """
    if not resource:
        return None
    site = runtime.settings().site_url
    address, _, query = resource.partition("?")
    path = address.removeprefix(site).rstrip("/")
    is_of_store = CUSTOMER.caller_kind in get_callers(path) and find_store(resource) is not None
    if not resource.startswith(site) or path not in list_paths() or (query and not is_of_store):
        raise OAuthError("invalid_target", "The resource is not one of this server.")
    return path or "/"


def find_store(resource: str) -> str | None:
    """Return the slug of the store that the address of a resource names, or None."""
    try:
        found = parse_qs(resource.partition("?")[2], max_num_fields=1)
    except ValueError:
        return None
    return next(iter(found.get(STORE, ())), None)


def to_address(path: str | None, store: str | None = None) -> str:
    """Return the address of a resource by its path."""
    query = f"?{STORE}={quote(store, safe='')}" if store else ""
    return runtime.settings().site_url + ("" if path is None or path == "/" else path) + query


def accepts(resource: str | None, path: str) -> bool:
    """Return whether a token for a resource is valid at a path."""
    if resource is None or resource in ("/", path):
        return True
    return resource == API_PREFIX and path.startswith(f"{resource}/")
