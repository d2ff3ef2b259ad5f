"""Storefront tokens, as owners manage them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_storefront import services
from comanda_storefront.schemas import StorefrontTokenBody, StorefrontTokenIssued, StorefrontTokenOut

routes = Routes("Storefront tokens")


@routes.get("/restaurants/{id}/storefront-tokens", scope="restaurants:read", answers=Page[StorefrontTokenOut])
async def list_tokens(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's storefront tokens, newest first, 20 per page; never the tokens themselves."""
    return await services.page_of_tokens(caller, id, page)


@routes.post("/restaurants/{id}/storefront-tokens", scope="restaurants:write", answers=StorefrontTokenIssued)
async def create_token(caller: Caller, id: int, body: StorefrontTokenBody) -> dict[str, Any]:
    """Make a token that reaches this store only; the secret is in this answer and in no other."""
    return await services.create_token(caller, id, body)


@routes.delete("/restaurants/{id}/storefront-tokens/{tokenId}", scope="restaurants:write")
async def revoke_token(caller: Caller, id: int, token_id: int) -> None:
    """Revoke a token; its next use answers 401."""
    await services.revoke_token(caller, id, token_id)


@routes.post(
    "/restaurants/{id}/storefront-tokens/{tokenId}/rotate",
    scope="restaurants:write",
    status=200,
    answers=StorefrontTokenIssued,
)
async def rotate_token(caller: Caller, id: int, token_id: int) -> dict[str, Any]:
    """Replace a token's secret; the old one stops working at once, name and scopes stay."""
    return await services.rotate_token(caller, id, token_id)
