"""Coupons, as owners manage them."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_coupons.records import Coupon
from comanda_coupons.schemas.coupons import CouponBody, CouponChange, CouponQuery
from comanda_coupons.services import coupons

routes = Routes("Coupons")


@routes.get("/restaurants/{id}/coupons", scope="orders:read")
async def list_coupons(caller: Caller, id: int, query: CouponQuery, page: PageRequest) -> RecordPage[Coupon]:
    """List a store's coupons, newest first, 20 per page; filter by ``search`` in the code and by ``is_active``."""
    return await coupons.list_coupons(caller, id, query, page)


@routes.post("/restaurants/{id}/coupons", scope="orders:write")
async def create_coupon(caller: Caller, id: int, body: CouponBody) -> Coupon:
    """Create a coupon. Its code is unique in the store regardless of case, and is stored in capitals."""
    return await coupons.create_coupon(caller, id, body)


@routes.get("/restaurants/{id}/coupons/{couponId}", scope="orders:read")
async def get_coupon(caller: Caller, id: int, coupon_id: int) -> Coupon:
    """Return a coupon and how often it was used."""
    return await coupons.get_coupon(caller, id, coupon_id)


@routes.patch("/restaurants/{id}/coupons/{couponId}", scope="orders:write")
async def update_coupon(caller: Caller, id: int, coupon_id: int, body: CouponChange) -> Coupon:
    """Update a coupon. Omitted fields stay as they are, null removes a limit. Orders keep their discount."""
    return await coupons.update_coupon(caller, id, coupon_id, body)


@routes.delete("/restaurants/{id}/coupons/{couponId}", scope="orders:write")
async def delete_coupon(caller: Caller, id: int, coupon_id: int) -> None:
    """Delete a coupon and free its code. Orders that have used it keep their discount and the code."""
    await coupons.delete_coupon(caller, id, coupon_id)
