"""The caller kind of storefront tokens, used by a store's public pages, apps and guests' agents."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts.callers import CallerKind

STOREFRONT: Final = CallerKind(code="storefront", prefix="sf_", header="x-storefront-token", is_public=True)

# Read the menu, place orders, use the MCP server. Owner routes refuse this caller kind, whatever its scopes.
SCOPES: Final = ("menu:read", "order:write", "agent")

# The scope that creating or rotating a token requires for each of its scopes. An agent reads the menu.
SCOPE_TO_GRANT: Final[Mapping[str, str]] = {
    "menu:read": "menu:read",
    "order:write": "orders:write",
    "agent": "menu:read",
}
