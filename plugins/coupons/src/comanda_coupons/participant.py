"""The order participant of coupons: finding a coupon by its code, applying its discount, counting the redemption."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import ValidationFailed, clock
from comanda.contracts import Contribution, Discount, NewOrder, OrderRequest, Problem, StoreTerms
from comanda.platform.db import sql

from comanda_coupons.services import redemptions
from comanda_coupons.services.discounts import CouponRefused, LoadedCoupon, create_unknown_error, to_loaded_coupon
from comanda_coupons.services.guests import CouponGuest

# Guests may use coupons, in a storefront or through an agent.
AUDIENCES: Final = frozenset({"storefront", "mcp"})
DISCOUNT_CODE: Final = "coupon"

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


def has_coupon_code(request: OrderRequest, _coupons: CouponsByCode) -> bool:
    """Return whether the order has a coupon code."""
    return bool(request.body.coupon_code)


def apply(request: OrderRequest, coupons: CouponsByCode) -> Contribution:
    """Return the discount of the order's coupon, or the problem and its ``reason`` if the coupon does not apply.

    An order that is amended has redeemed its coupon: it keeps it, and the discount that the lines of now earn, if any.
    Skipped while a line is invalid: the order is refused for that, and its subtotal is not known.
    """
    if request.audience not in AUDIENCES:
        return Contribution(problems=[Problem("coupon_code", "Coupons are for storefront orders.")])
    if not request.is_complete:
        return Contribution(coupon_code=request.body.coupon_code)
    try:
        coupon = _get_coupon(request, coupons)
        discount = _create_discount(request, coupon)
    except CouponRefused as refused:
        if request.amends is not None:
            return Contribution(coupon_code=request.body.coupon_code)
        return Contribution(problems=[Problem("coupon_code", refused.message, {"reason": refused.reason})])
    return Contribution(discounts=[discount], coupon_code=coupon.code)


async def reserve(request: OrderRequest, coupons: CouponsByCode) -> None:
    """Count the redemption. Raises ``ValidationFailed`` if none is left in all or for this guest."""
    terms = request.terms
    try:
        await redemptions.redeem_coupon(
            terms.owner_id, terms.id, _get_coupon(request, coupons), CouponGuest.from_order(request)
        )
    except CouponRefused as refused:
        raise _to_validation_error(refused) from refused


async def record(request: OrderRequest, coupons: CouponsByCode, order: NewOrder) -> None:
    """Record the redemption of the stored order."""
    coupon_id = _get_coupon(request, coupons).id
    await redemptions.record_redemption(
        request.terms.owner_id, coupon_id, order.id, CouponGuest.from_order(request), _sum_discounts(order)
    )


async def update_discount(request: OrderRequest, _coupons: CouponsByCode, order: NewOrder) -> None:
    """Update what the redemption of an amended order takes off."""
    await redemptions.update_discount(request.terms.owner_id, order.id, _sum_discounts(order))


def _sum_discounts(order: NewOrder) -> int:
    return sum(discount.amount_minor for discount in order.discounts if discount.code == DISCOUNT_CODE)


def _create_discount(request: OrderRequest, coupon: LoadedCoupon) -> Discount:
    if request.amends is None:
        coupon.check_period(clock.now())
        coupon.check_mode(request.body.type)
    found = coupon.get_discount(request.lines, request.items, request.terms.currency)
    return Discount(DISCOUNT_CODE, f"Coupon {coupon.code}", found.discount_minor, found.positions)


def _get_coupon(request: OrderRequest, coupons: CouponsByCode) -> LoadedCoupon:
    """Return the coupon of the order's code. Raises ``CouponRefused`` for an unknown code."""
    code = (request.body.coupon_code or "").upper()
    if code not in coupons:
        raise create_unknown_error(request.body.coupon_code or "")
    return coupons[code]


def _to_validation_error(refused: CouponRefused) -> ValidationFailed:
    return ValidationFailed({"coupon_code": [refused.message]}, extras={"reason": refused.reason})
