"""The order participant of coupons: finding a coupon by its code, applying its discount, counting the redemption."""

from collections.abc import Mapping
from typing import Final

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, StoreTerms
from comanda.db import sql
from comanda.errors import ValidationFailed

from comanda_coupons.services import redemptions
from comanda_coupons.services.discounts import CouponRefused, LoadedCoupon, create_unknown_error, to_loaded_coupon
from comanda_coupons.services.guests import CouponGuest

# Guests may use coupons, in a storefront or through an agent.
AUDIENCES: Final = frozenset({"storefront", "mcp"})

SELECT_COUPONS: Final = """
    SELECT id, code, value_ppm, value_minor, min_subtotal_minor, max_discount_minor, starts_at, ends_at, is_active,
        modes, item_ids, category_ids, first_order_only
    FROM coupons_coupon WHERE store_id = $1 AND owner_id = $2 AND deleted_at IS NULL
"""

CouponsByCode = Mapping[str, LoadedCoupon]


async def load(terms: StoreTerms) -> CouponsByCode:
    """Return a store's coupons by code, without their number of redemptions."""
    rows = await sql.fetch(SELECT_COUPONS, terms.id, terms.owner_id)
    return {row["code"]: to_loaded_coupon(row) for row in rows}


def has_coupon_code(order_request: OrderRequest) -> bool:
    """Return whether the order has a coupon code."""
    return bool(order_request.body.coupon_code)


def apply(order_request: OrderRequest) -> Errors:
    """Apply the discount of the order's coupon.

    Raises ``ValidationFailed`` with a ``reason`` if the coupon does not apply. Skipped while a line is invalid: the
    order is refused for that, and its subtotal is not known.
    """
    if order_request.audience not in AUDIENCES:
        return {"coupon_code": ["Coupons are for storefront orders."]}
    if len(order_request.lines) < len(order_request.body.items):
        order_request.coupon_code = order_request.body.coupon_code
        return {}
    try:
        _apply_discount(order_request)
    except CouponRefused as refused:
        raise _to_validation_error(refused) from refused
    return {}


async def reserve(order_request: OrderRequest) -> None:
    """Count the redemption. Raises ``ValidationFailed`` if none is left in all or for this guest."""
    terms = order_request.terms
    try:
        await redemptions.redeem_coupon(
            terms.owner_id, terms.id, _get_coupon(order_request), CouponGuest.from_order(order_request)
        )
    except CouponRefused as refused:
        raise _to_validation_error(refused) from refused


async def record(order_request: OrderRequest, order_id: int) -> None:
    """Record the redemption of the stored order."""
    owner_id, coupon_id = order_request.terms.owner_id, _get_coupon(order_request).id
    await redemptions.record_redemption(
        owner_id, coupon_id, order_id, CouponGuest.from_order(order_request), order_request.discount_minor
    )


def _apply_discount(order_request: OrderRequest) -> None:
    coupon = _get_coupon(order_request)
    coupon.check_period(clock.now())
    coupon.check_mode(order_request.body.type)
    discount = coupon.get_discount(order_request.lines, order_request.items, order_request.terms.currency)
    order_request.coupon_code = coupon.code
    order_request.discount_minor, order_request.discounted = discount.discount_minor, discount.positions


def _get_coupon(order_request: OrderRequest) -> LoadedCoupon:
    """Return the coupon of the order's code. Raises ``CouponRefused`` for an unknown code."""
    coupons: CouponsByCode = order_request.loaded
    code = (order_request.body.coupon_code or "").upper()
    if code not in coupons:
        raise create_unknown_error(order_request.body.coupon_code or "")
    return coupons[code]


def _to_validation_error(refused: CouponRefused) -> ValidationFailed:
    return ValidationFailed({"coupon_code": [refused.message]}, extras={"reason": refused.reason})
