"""Coupons' part in orders: find the one whose code is given, take off what it is worth, and count its use."""

from collections.abc import Mapping
from typing import Final

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, StoreTerms
from comanda.db import sql
from comanda.errors import ValidationFailed

from comanda_coupons import uses
from comanda_coupons.guests import Guest
from comanda_coupons.offers import CouponRefused, Offer, offer_of, unknown

# Whose orders may carry a code: the guests', whether they order by themselves or let an agent do it.
AUDIENCES: Final = frozenset({"storefront", "mcp"})

LIVE: Final = """
    SELECT id, code, value_ppm, value_minor, min_subtotal_minor, max_discount_minor, starts_at, ends_at, is_active,
        modes, item_ids, category_ids, first_order_only
    FROM coupons_coupon WHERE store_id = $1 AND owner_id = $2 AND deleted_at IS NULL
"""

Book = Mapping[str, Offer]


async def load(terms: StoreTerms) -> Book:
    """Return a store's coupons by their code; how often each was used is not among what is kept."""
    rows = await sql.fetch(LIVE, terms.id, terms.owner_id)
    return {row["code"]: offer_of(row) for row in rows}


def names_a_coupon(incoming: OrderRequest) -> bool:
    """Tell whether an order of a guest's carries a code."""
    return bool(incoming.body.coupon_code) and incoming.audience in AUDIENCES


def apply(incoming: OrderRequest) -> Errors:
    """Take off what the order's coupon is worth.

    Raises ``ValidationFailed`` with a ``reason`` where it does not apply. That is not asked while a line is wrong, as
    the order is refused for that, and nobody knows yet what it costs.
    """
    if len(incoming.lines) < len(incoming.body.items):
        incoming.coupon_code = incoming.body.coupon_code
        return {}
    try:
        _apply(incoming)
    except CouponRefused as refused:
        raise _failed(refused) from refused
    return {}


async def reserve(incoming: OrderRequest) -> None:
    """Count the use. Raises ``ValidationFailed`` when none is left, for anybody or for this guest."""
    terms = incoming.terms
    try:
        await uses.take(terms.owner_id, terms.id, _chosen(incoming), Guest.of(incoming))
    except CouponRefused as refused:
        raise _failed(refused) from refused


async def note(incoming: OrderRequest, order_id: int) -> None:
    """Write the use down beside the order."""
    owner_id, coupon_id = incoming.terms.owner_id, _chosen(incoming).id
    await uses.note(owner_id, coupon_id, order_id, Guest.of(incoming), incoming.discount_minor)


def _apply(incoming: OrderRequest) -> None:
    offer = _chosen(incoming)
    offer.check_time(clock.now())
    offer.check_mode(incoming.body.type)
    worth = offer.worth(incoming.lines, incoming.items, incoming.terms.currency)
    incoming.coupon_code = offer.code
    incoming.discount_minor, incoming.discounted = worth.discount_minor, worth.positions


def _chosen(incoming: OrderRequest) -> Offer:
    """Return the coupon that the order names. Raises ``CouponRefused`` for a code that is none."""
    book: Book = incoming.loaded
    given = (incoming.body.coupon_code or "").upper()
    if given not in book:
        raise unknown(incoming.body.coupon_code or "")
    return book[given]


def _failed(refused: CouponRefused) -> ValidationFailed:
    return ValidationFailed({"coupon_code": [refused.sentence]}, extras={"reason": refused.reason})
