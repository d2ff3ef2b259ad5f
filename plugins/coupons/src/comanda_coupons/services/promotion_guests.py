"""Promotions that depend on who orders: for first orders, and so often for each guest."""

from collections.abc import Sequence
from typing import Final

from comanda.platform.db import sql

from comanda_coupons.services.guests import CouponGuest
from comanda_coupons.services.promotion_pricing import LoadedPromotion
from comanda_coupons.services.redemptions import has_ordered

COUNT_USES_OF_GUEST: Final = """
    SELECT coupon_id, count(*) AS uses FROM coupons_use
    WHERE coupon_id = ANY($1::bigint[]) AND owner_id = $2 AND returned_at IS NULL
      AND (customer_id = $3 OR phone_key = $4) GROUP BY coupon_id
"""


async def list_open_to(
    owner_id: int, store_id: int, guest: CouponGuest, promotions: Sequence[LoadedPromotion]
) -> frozenset[int]:
    """Return the ids of those of the promotions that are for this guest: none, if nobody knows who it is."""
    if not guest.is_known or not promotions:
        return frozenset()
    is_new = True
    if any(each.first_order_only for each in promotions):
        is_new = not await has_ordered(owner_id, store_id, guest)
    limited = [each.id for each in promotions if each.per_customer_limit is not None]
    rows = (
        await sql.fetch(COUNT_USES_OF_GUEST, limited, owner_id, guest.customer_id, guest.phone_key) if limited else []
    )
    uses = {row["coupon_id"]: row["uses"] for row in rows}
    return frozenset(
        each.id
        for each in promotions
        if (is_new or not each.first_order_only)
        and (each.per_customer_limit is None or uses.get(each.id, 0) < each.per_customer_limit)
    )
