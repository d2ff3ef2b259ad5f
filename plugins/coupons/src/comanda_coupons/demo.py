"""A coupon for the demo restaurant's guests."""

from comanda.contracts.callers import Caller
from comanda.contracts.demo import Showcase
from comanda.contracts.paging import PageRequest
from comanda.demo_data.builder import fill_once

from comanda_coupons import services
from comanda_coupons.models import CouponType
from comanda_coupons.schemas import CouponBody, CouponQuery

STORE_TYPE = "restaurant"
COUPONS = (
    CouponBody(code="BENVENUTO", type=CouponType.PERCENTAGE, value=10, max_discount=8, first_order_only=True),
    CouponBody(code="PRANZO5", type=CouponType.FIXED, value=5, min_subtotal=25, usage_limit=200, modes=["takeaway"]),
)


async def fill(showcase: Showcase) -> None:
    """Offer the coupons in the demo's restaurants, unless they have any."""
    for store in showcase.stores:
        if store["store_type"] == STORE_TYPE:
            await _offer(showcase.caller(), int(str(store["id"])))


async def _offer(caller: Caller, store_id: int) -> None:
    there = await services.page_of_coupons(caller, store_id, CouponQuery(), PageRequest(1, 1))

    async def create() -> None:
        for body in COUPONS:
            await services.create_coupon(caller, store_id, body)

    await fill_once(f"coupons:{store_id}", create, is_there=there["total"] > 0)
