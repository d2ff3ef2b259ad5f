"""The steps of promotions in orders: they are priced from memory, and those with limits are counted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from comanda.basics import ValidationFailed, clock
from comanda.contracts import Caller, Contribution, Discount, NewOrder, OrderBody, OrderRequest, StoreOffer, StoreTerms
from comanda.orders import parse_promotions
from comanda.platform.db import sql

from comanda_coupons.services import promotion_uses
from comanda_coupons.services.guests import CouponGuest
from comanda_coupons.services.promotion_pricing import (
    STOREFRONT,
    LoadedPromotion,
    PricedPromotion,
    list_candidates,
    price_promotions,
)
from comanda_coupons.services.promotion_uses import PromotionIsOver
from comanda_coupons.services.redemptions import has_ordered, lock_guest
from comanda_coupons.services.store_offers import StoreOffers

FIELD: Final = "promotions"
REASON: Final = "promotion_over"
COUNT_USES_OF_GUEST: Final = """
    SELECT coupon_id, count(*) AS uses FROM coupons_use
    WHERE coupon_id = ANY($1::bigint[]) AND owner_id = $2 AND returned_at IS NULL
      AND (customer_id = $3 OR phone_key = $4) GROUP BY coupon_id
"""


def has_promotions(request: OrderRequest, offers: StoreOffers) -> bool:
    """Return whether the store has promotions at all, and this plugin may price the order."""
    return bool(offers.promotions) and not request.priced_by


def apply(request: OrderRequest, offers: StoreOffers) -> Contribution | None:
    """Return what promotions take off. Skipped while a line is invalid: the order is refused for that."""
    if not request.is_complete:
        return None
    priced = price_promotions(request, offers.promotions)
    return Contribution(
        discounts=[_to_discount(each) for each in priced if each.positions],
        promotions=[each.to_order_promotion() for each in priced],
    )


def list_offers(terms: StoreTerms, offers: StoreOffers, moment: datetime) -> list[StoreOffer]:
    """List the promotions that are on for guests of the store's page, and until when."""
    found = []
    for promotion in offers.promotions:
        period = promotion.find_period(terms.zone, moment)
        if period.is_orderable and (not promotion.channels or STOREFRONT in promotion.channels):
            found.append(StoreOffer(promotion.name, period.changes_at))
    return found


def has_limited_promotions(request: OrderRequest, offers: StoreOffers) -> bool:
    """Return whether promotions with limits cover lines of the order, or did before it was amended."""
    if not offers.limited or request.priced_by:
        return False
    if request.amends is not None:
        order, ids = request.amends.order, {each.id for each in offers.limited}
        if any(each.id in ids for each in parse_promotions(order.attributes, order.currency)):
            return True
    return bool(list_candidates(request, offers.limited))


async def prepare(body: OrderBody, caller: Caller, terms: StoreTerms, offers: StoreOffers) -> frozenset[int] | None:
    """Return the promotions for some guests that are for this one, None if there are none at all."""
    moment = clock.now()
    wanted = [each for each in offers.per_guest if each.find_period(terms.zone, moment).is_orderable]
    if not wanted:
        return None
    return await list_open_to(terms.owner_id, terms.id, CouponGuest.from_caller(caller, body.phone), wanted)


async def reserve(request: OrderRequest, offers: StoreOffers) -> None:
    """Lock the promotions with limits that the order may use, in one order, before anything of core's is locked.

    Raises ``ValidationFailed`` if one of them is not for the guest any more.
    """
    terms, guest = request.terms, CouponGuest.from_order(request)
    promotions = [each.promotion for each in list_candidates(request, offers.limited)]
    per_guest = [each for each in promotions if each.is_per_guest]
    if per_guest:
        await lock_guest(terms.id, guest)
    await promotion_uses.lock_promotions(terms.owner_id, [each.id for each in promotions])
    open_to = await list_open_to(terms.owner_id, terms.id, guest, per_guest)
    for each in per_guest:
        if each.id not in open_to:
            raise _to_validation_error(PromotionIsOver(each.name))


async def record(request: OrderRequest, offers: StoreOffers, order: NewOrder) -> None:
    """Count the uses of the stored order. Raises ``ValidationFailed`` if a limit is reached meanwhile."""
    await _settle(request, offers, order)


async def update(request: OrderRequest, offers: StoreOffers, order: NewOrder) -> None:
    """Count what an amended order uses now. Raises ``ValidationFailed`` if a limit is reached meanwhile."""
    await _settle(request, offers, order)


async def _settle(request: OrderRequest, offers: StoreOffers, order: NewOrder) -> None:
    terms, limited = request.terms, {each.id for each in offers.limited}
    used = [
        each for each in parse_promotions(order.attributes, terms.currency) if each.id in limited and each.amount_minor
    ]
    try:
        await promotion_uses.settle_uses(
            promotion_uses.UsedOrder(
                owner_id=terms.owner_id,
                store_id=terms.id,
                order_id=order.id,
                guest=CouponGuest.from_order(request),
                is_amended=request.amends is not None,
                # What the order that is merged into this one has used is given back when that is closed.
                is_unchecked=request.amends is not None and request.amends.absorbed is not None,
            ),
            used,
        )
    except PromotionIsOver as over:
        raise _to_validation_error(over) from over


def _to_validation_error(over: PromotionIsOver) -> ValidationFailed:
    return ValidationFailed({FIELD: [over.message]}, extras={"reason": REASON})


def _to_discount(priced: PricedPromotion) -> Discount:
    promotion = priced.candidate.promotion
    return Discount(f"promotion_{promotion.id}", promotion.name, priced.discount_minor, priced.positions)


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
