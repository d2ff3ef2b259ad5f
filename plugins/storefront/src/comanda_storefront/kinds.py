"""The kind of token that a store's public pages, apps and a diner's agent carry."""

from typing import Final

from comanda.accounts.kinds import CallerKind

STOREFRONT: Final = CallerKind(code="storefront", prefix="sf_", header="x-storefront-token", is_public=True)

# Reading the menu, placing orders, talking to the store over MCP. Owner routes refuse the kind, whatever its scopes.
SCOPES: Final = ("menu:read", "order:write", "agent")
