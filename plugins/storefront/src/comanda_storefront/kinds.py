"""The kind of token that a store's public pages, apps and a diner's agent carry."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts.callers import CallerKind

STOREFRONT: Final = CallerKind(code="storefront", prefix="sf_", header="x-storefront-token", is_public=True)

# Reading the menu, placing orders, talking to the store over MCP. Owner routes refuse the kind, whatever its scopes.
SCOPES: Final = ("menu:read", "order:write", "agent")

# What whoever makes or rotates a token must hold of it: an agent reads the menu, and orders where ``order:write`` is.
SCOPE_TO_GRANT: Final[Mapping[str, str]] = {
    "menu:read": "menu:read",
    "order:write": "orders:write",
    "agent": "menu:read",
}
