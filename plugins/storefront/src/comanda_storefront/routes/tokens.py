"""Routes for owners to manage storefront tokens."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_storefront.records import IssuedStorefrontToken, StorefrontToken
from comanda_storefront.schemas.tokens import StorefrontTokenBody
from comanda_storefront.services import tokens

routes = Routes("Storefront tokens")


@routes.get(
    "/restaurants/{id}/storefront-tokens",
    scope="restaurants:read",
    is_delegable=False,
)
async def list_tokens(caller: Caller, id: int, page: PageRequest) -> RecordPage[StorefrontToken]:
    """List a store's storefront tokens without their secrets, newest first, 20 per page."""
    return await tokens.list_tokens(caller, id, page)


@routes.post("/restaurants/{id}/storefront-tokens", scope="restaurants:write", is_delegable=False)
async def create_token(caller: Caller, id: int, body: StorefrontTokenBody) -> IssuedStorefrontToken:
    """Create a token for this store only. Its secret is shown only in this response."""
    return await tokens.create_token(caller, id, body)


@routes.delete("/restaurants/{id}/storefront-tokens/{tokenId}", scope="restaurants:write", is_delegable=False)
async def revoke_token(caller: Caller, id: int, token_id: int) -> None:
    """Revoke a token. Its next use answers 401."""
    await tokens.revoke_token(caller, id, token_id)


@routes.post(
    "/restaurants/{id}/storefront-tokens/{tokenId}/rotate",
    scope="restaurants:write",
    status=200,
    is_delegable=False,
)
async def rotate_token(caller: Caller, id: int, token_id: int) -> IssuedStorefrontToken:
    """Replace a token's secret. The old one stops working at once; name and scopes stay."""
    return await tokens.rotate_token(caller, id, token_id)
