"""The coupons and promotions of a store, as loaded with its menu for pricing orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import orjson
from comanda.contracts import StoreTerms
from comanda.platform.db import sql

from comanda_coupons.services.discounts import LoadedCoupon, to_loaded_coupon
from comanda_coupons.services.promotion_pricing import LoadedPromotion, to_loaded_promotion

# Open checks keep a promotion for as long as they may last, even if it is deleted meanwhile.
SELECT_OFFERS: Final = """
    SELECT id, code, name, type, value_ppm, value_minor, quantity, min_subtotal_minor, max_discount_minor, starts_at,
        ends_at, valid_at, is_active AND deleted_at IS NULL AS is_active, modes, channels, item_ids, category_ids,
        first_order_only, usage_limit, per_customer_limit, budget_minor, used_count, spent_minor
    FROM coupons_coupon WHERE store_id = $1 AND owner_id = $2
      AND (deleted_at IS NULL OR (code IS NULL AND deleted_at > now() - interval '2 days'))
    ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class StoreOffers:
    """Coupons by code, without their number of redemptions, and promotions.

    ``limited`` are the promotions with limits, and ``per_guest`` those that depend on who orders.
    """

    coupons: Mapping[str, LoadedCoupon]
    promotions: tuple[LoadedPromotion, ...]
    limited: tuple[LoadedPromotion, ...]
    per_guest: tuple[LoadedPromotion, ...]


async def load_offers(terms: StoreTerms) -> StoreOffers:
    """Return the coupons and promotions of a store."""
    rows = await sql.fetch(SELECT_OFFERS, terms.id, terms.owner_id)
    promotions = tuple(to_loaded_promotion(row, orjson.loads(row["valid_at"])) for row in rows if row["code"] is None)
    return StoreOffers(
        coupons={row["code"]: to_loaded_coupon(row) for row in rows if row["code"] is not None},
        promotions=promotions,
        limited=tuple(each for each in promotions if each.has_limit),
        per_guest=tuple(each for each in promotions if each.is_per_guest),
    )
