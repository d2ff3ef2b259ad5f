"""Coupons and a happy hour of the demo restaurants."""

from comanda.contracts import Caller, PageRequest, Showcase, TimeWindow
from comanda.operations.demo_data import fill_once
from comanda.platform.db import sql

from comanda_coupons.models import CouponType, PromotionType
from comanda_coupons.schemas.coupons import CouponBody, CouponQuery
from comanda_coupons.schemas.promotions import PromotionBody
from comanda_coupons.services import coupons, promotions

STORE_TYPE = "restaurant"
DEMO_COUPONS = (
    CouponBody(code="BENVENUTO", type=CouponType.PERCENTAGE, value=10, max_discount=8, first_order_only=True),
    CouponBody(code="PRANZO5", type=CouponType.FIXED, value=5, min_subtotal=25, usage_limit=200, modes=["takeaway"]),
)

DRINKS = "Sweets and drinks"
SELECT_DRINKS = "SELECT id FROM core_menu_category_v1 WHERE store_id = $1 AND owner_id = $2 AND name = $3"
HAPPY_HOUR = PromotionBody(
    name="Aperitivo",
    type=PromotionType.PERCENTAGE,
    value=20,
    valid_at=[TimeWindow(**{"from": "17:00", "until": "19:00"})],
)


async def create_demo_coupons(showcase: Showcase) -> None:
    """Create the demo coupons and the happy hour in each restaurant, unless it has coupons."""
    for store in showcase.stores:
        if store["store_type"] == STORE_TYPE:
            await _create_coupons(showcase.caller(), int(str(store["id"])))


async def _create_coupons(caller: Caller, store_id: int) -> None:
    existing = await coupons.list_coupons(caller, store_id, CouponQuery(), PageRequest(1, 1))

    async def create() -> None:
        for body in DEMO_COUPONS:
            await coupons.create_coupon(caller, store_id, body)
        drinks = [row["id"] for row in await sql.fetch(SELECT_DRINKS, store_id, caller.owner_id, DRINKS)]
        await promotions.create_promotion(caller, store_id, HAPPY_HOUR.model_copy(update={"category_ids": drinks}))

    await fill_once(f"coupons:{store_id}", create, is_there=existing.total > 0)
