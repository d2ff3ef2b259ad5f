"""The caller kind of storefront tokens, used by a store's public pages, apps and guests' agents."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts import Caller, CallerKind, Scope

STOREFRONT: Final = CallerKind(code="storefront", prefix="sf_", header="x-storefront-token", is_public=True)

# Owner routes refuse this caller kind, whatever its scopes.
STOREFRONT_SCOPES: Final = (
    Scope("menu:read", "Read the menu", kinds=("storefront",)),
    Scope("order:write", "Place orders", kinds=("storefront",)),
    Scope("agent", "Use the MCP server for guests", kinds=("storefront",)),
)
SCOPES: Final = tuple(scope.name for scope in STOREFRONT_SCOPES)

# The scope that creating or rotating a token requires for each of its scopes. An agent reads the menu.
SCOPE_TO_GRANT: Final[Mapping[str, str]] = {
    "menu:read": "menu:read",
    "order:write": "orders:write",
    "agent": "menu:read",
}


def to_guest_caller(owner_id: int, store_id: int) -> Caller:
    """Return the caller that stands for all guests of a store who do not say who they are."""
    return Caller(STOREFRONT.code, 0, owner_id, store_id, None, frozenset({"order:write"}), None)
