"""Promotions, as owners manage them."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_coupons.records import Promotion
from comanda_coupons.schemas.promotions import PromotionBody, PromotionChange, PromotionQuery
from comanda_coupons.services import promotions

routes = Routes("Promotions")


@routes.get("/restaurants/{id}/promotions", scope="orders:read")
async def list_promotions(caller: Caller, id: int, query: PromotionQuery, page: PageRequest) -> RecordPage[Promotion]:
    """List a store's promotions, newest first, 20 per page; filter by ``is_active``."""
    return await promotions.list_promotions(caller, id, query, page)


@routes.post("/restaurants/{id}/promotions", scope="orders:write")
async def create_promotion(caller: Caller, id: int, body: PromotionBody) -> Promotion:
    """Create a promotion, which is taken off orders that need no code for it."""
    return await promotions.create_promotion(caller, id, body)


@routes.get("/restaurants/{id}/promotions/{promotionId}", scope="orders:read")
async def get_promotion(caller: Caller, id: int, promotion_id: int) -> Promotion:
    """Return a promotion, and whether it is on now."""
    return await promotions.get_promotion(caller, id, promotion_id)


@routes.patch("/restaurants/{id}/promotions/{promotionId}", scope="orders:write")
async def update_promotion(caller: Caller, id: int, promotion_id: int, body: PromotionChange) -> Promotion:
    """Update a promotion. Omitted fields stay as they are, null removes a limit. Orders keep what they have."""
    return await promotions.update_promotion(caller, id, promotion_id, body)


@routes.delete("/restaurants/{id}/promotions/{promotionId}", scope="orders:write")
async def delete_promotion(caller: Caller, id: int, promotion_id: int) -> None:
    """Delete a promotion. Orders keep what it took off; checks that are open keep it for two days."""
    await promotions.delete_promotion(caller, id, promotion_id)
