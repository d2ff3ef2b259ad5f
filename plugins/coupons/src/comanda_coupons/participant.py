"""The order participant of coupons: finding a coupon by its code, applying its discount, counting the redemption."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Contribution, Discount, NewOrder, OrderRequest, Problem

from comanda_coupons.services import redemptions
from comanda_coupons.services.discounts import CouponRefused, LoadedCoupon, create_unknown_error
from comanda_coupons.services.guests import CouponGuest
from comanda_coupons.services.promotion_pricing import get_left, price_promotions
from comanda_coupons.services.store_offers import StoreOffers

# Guests may use coupons, in a storefront or through an agent.
AUDIENCES: Final = frozenset({"storefront", "mcp"})
DISCOUNT_CODE: Final = "coupon"


def has_coupon_code(request: OrderRequest, _offers: StoreOffers) -> bool:
    """Return whether the order has a coupon code."""
    return bool(request.body.coupon_code)


def apply(request: OrderRequest, offers: StoreOffers) -> Contribution:
    """Return the discount of the order's coupon, or the problem and its ``reason`` if the coupon does not apply.

    An order that is amended has redeemed its coupon: it keeps it, and the discount that the lines of now earn, if any.
    Skipped while a line is invalid: the order is refused for that, and its subtotal is not known.
    """
    if request.audience not in AUDIENCES:
        return Contribution(problems=[Problem("coupon_code", Sentence("Coupons are for storefront orders."))])
    if not request.is_complete:
        return Contribution(coupon_code=request.body.coupon_code)
    try:
        coupon = _get_coupon(request, offers)
        discount = _create_discount(request, coupon, offers)
    except CouponRefused as refused:
        if request.amends is not None:
            return Contribution(coupon_code=request.body.coupon_code)
        return Contribution(problems=[Problem("coupon_code", refused.message, {"reason": refused.reason})])
    return Contribution(discounts=[discount], coupon_code=coupon.code)


async def reserve(request: OrderRequest, offers: StoreOffers) -> None:
    """Count the redemption. Raises ``ValidationFailed`` if none is left in all or for this guest."""
    terms = request.terms
    try:
        await redemptions.redeem_coupon(
            terms.owner_id, terms.id, _get_coupon(request, offers), CouponGuest.from_order(request)
        )
    except CouponRefused as refused:
        raise ValidationFailed({"coupon_code": [refused.message]}, extras={"reason": refused.reason}) from refused


async def record(request: OrderRequest, offers: StoreOffers, order: NewOrder) -> None:
    """Record the redemption of the stored order."""
    coupon_id = _get_coupon(request, offers).id
    await redemptions.record_redemption(
        request.terms.owner_id, coupon_id, order.id, CouponGuest.from_order(request), _sum_discounts(order)
    )


async def update_discount(request: OrderRequest, _offers: StoreOffers, order: NewOrder) -> None:
    """Update what the redemption of an amended order takes off."""
    await redemptions.update_discount(request.terms.owner_id, order.id, _sum_discounts(order))


def _sum_discounts(order: NewOrder) -> int:
    return sum(discount.amount_minor for discount in order.discounts if discount.code == DISCOUNT_CODE)


def _create_discount(request: OrderRequest, coupon: LoadedCoupon, offers: StoreOffers) -> Discount:
    if request.amends is None:
        coupon.check_period(clock.now())
        coupon.check_mode(request.body.type)
    left = None
    if offers.promotions:
        left = get_left(
            request.lines, [each for each in price_promotions(request, offers.promotions) if each.positions]
        )
    found = coupon.get_discount(request.lines, request.items, request.terms.currency, left)
    return Discount(DISCOUNT_CODE, f"Coupon {coupon.code}", found.discount_minor, found.positions)


def _get_coupon(request: OrderRequest, offers: StoreOffers) -> LoadedCoupon:
    """Return the coupon of the order's code. Raises ``CouponRefused`` for an unknown code."""
    code = (request.body.coupon_code or "").upper()
    if code not in offers.coupons:
        raise create_unknown_error(request.body.coupon_code or "")
    return offers.coupons[code]
