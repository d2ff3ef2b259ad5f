"""Counts the uses of coupons, in the transaction of the order that uses one or gives it back.

The coupon's row is locked by whoever counts, so what is read of its uses after that stays true until the commit.
"""

from typing import Any, Final

from comanda import clock
from comanda.contracts.order_participants import PlacedOrder
from comanda.db import sql
from comanda.errors import ValidationFailed

from comanda_coupons.guests import PHONE_KEY_OF_ORDER, Guest
from comanda_coupons.offers import Offer, Reason, not_applicable, unknown, used_up

# Whoever else waits for the row looks at the conditions again once they have it.
TAKE: Final = """
    UPDATE coupons_coupon SET used_count = used_count + 1
    WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active
      AND (usage_limit IS NULL OR used_count < usage_limit)
    RETURNING per_customer_limit, first_order_only
"""
IS_LIVE: Final = """
    SELECT EXISTS (SELECT FROM coupons_coupon WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active)
"""
# A guest may be about to order for the first time twice at once, with another coupon each.
LOCK_GUEST: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
HAS_ORDERED: Final = f"""
    SELECT EXISTS (SELECT FROM core_order o WHERE o.customer_id = $3 AND o.owner_id = $2 AND o.store_id = $1
                   AND o.status <> 'cancelled')
        OR EXISTS (SELECT FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND {PHONE_KEY_OF_ORDER} = $4
                   AND o.status <> 'cancelled')
"""
OF_GUEST: Final = """
    SELECT count(*) FROM coupons_use
    WHERE coupon_id = $1 AND owner_id = $2 AND returned_at IS NULL AND (customer_id = $3 OR phone_key = $4)
"""
NOTE: Final = """
    INSERT INTO coupons_use (owner_id, coupon_id, order_id, customer_id, phone_key, discount_minor, used_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
GIVE_BACK: Final = """
    WITH back AS (
        UPDATE coupons_use SET returned_at = $3 WHERE order_id = $1 AND owner_id = $2 AND returned_at IS NULL
        RETURNING coupon_id)
    UPDATE coupons_coupon c SET used_count = used_count - 1 FROM back WHERE c.id = back.coupon_id AND c.owner_id = $2
"""
RETURNED: Final = """
    SELECT u.coupon_id, u.customer_id, u.phone_key, c.code, c.first_order_only
    FROM coupons_use u JOIN coupons_coupon c ON c.id = u.coupon_id AND c.owner_id = u.owner_id
    WHERE u.order_id = $1 AND u.owner_id = $2 AND u.returned_at IS NOT NULL
"""
# The order keeps what it was given, so an end that has come or a coupon that is gone does not matter any more.
TAKE_AGAIN: Final = """
    UPDATE coupons_coupon SET used_count = used_count + 1
    WHERE id = $1 AND owner_id = $2 AND (usage_limit IS NULL OR used_count < usage_limit)
    RETURNING per_customer_limit, first_order_only
"""
STANDS_AGAIN: Final = "UPDATE coupons_use SET returned_at = NULL WHERE order_id = $1 AND owner_id = $2"
USED_A_FIRST: Final = """
    SELECT EXISTS (
        SELECT FROM coupons_coupon c JOIN coupons_use u ON u.coupon_id = c.id AND u.owner_id = c.owner_id
        WHERE c.store_id = $1 AND c.owner_id = $2 AND c.first_order_only AND u.returned_at IS NULL
          AND (u.customer_id = $3 OR u.phone_key = $4))
"""


async def take(owner_id: int, store_id: int, offer: Offer, guest: Guest) -> None:
    """Count a use, before the order that it is for is written. Raises ``CouponRefused``."""
    if offer.first_order_only:
        await _lock_guest(store_id, guest)
    taken = await sql.fetch_one(TAKE, offer.id, owner_id)
    if taken is None:
        is_live = await sql.fetch_value(IS_LIVE, offer.id, owner_id)
        raise used_up(f"The coupon {offer.code} is used up.") if is_live else unknown(offer.code)
    if await _exceeds(taken["per_customer_limit"], offer.id, owner_id, guest):
        raise used_up(f"You have used the coupon {offer.code} as often as you can.")
    if taken["first_order_only"] and await _has_ordered(owner_id, store_id, guest):
        raise not_applicable(f"The coupon {offer.code} is for a guest's first order.")
    # Asked last, and not when a cart is priced: who orders is known when the order is placed.
    if not guest.is_known and (taken["first_order_only"] or taken["per_customer_limit"] is not None):
        raise not_applicable(f"The coupon {offer.code} needs your phone number in phone.")


async def note(owner_id: int, coupon_id: int, order_id: int, guest: Guest, discount_minor: int) -> None:
    """Write down who used a coupon for which order, once the order has an id."""
    who = (guest.customer_id, guest.phone_key)
    await sql.execute(NOTE, owner_id, coupon_id, order_id, *who, discount_minor, clock.now())


async def give_back(order: PlacedOrder) -> None:
    """Return the use of an order that is cancelled, if it has one."""
    await sql.execute(GIVE_BACK, order.id, order.owner_id, clock.now())


async def take_again(order: PlacedOrder) -> None:
    """Count the use of a cancelled order that is reopened. Raises ``ValidationFailed`` when it was used up since."""
    use = await sql.fetch_one(RETURNED, order.id, order.owner_id)
    if use is None:
        return
    guest = Guest(use["customer_id"], use["phone_key"])
    if use["first_order_only"]:
        await _lock_guest(order.store_id, guest)
    if not await _is_left(order, use, guest):
        sentence = f"The coupon {use['code']} of this order was used up since, so the order cannot be reopened."
        raise ValidationFailed({"status": [sentence]}, extras={"reason": Reason.USED_UP})
    await sql.execute(STANDS_AGAIN, order.id, order.owner_id)


async def _is_left(order: PlacedOrder, use: sql.Row, guest: Guest) -> bool:
    taken = await sql.fetch_one(TAKE_AGAIN, use["coupon_id"], order.owner_id)
    if taken is None or await _exceeds(taken["per_customer_limit"], use["coupon_id"], order.owner_id, guest):
        return False
    # A later order may have been the guest's first, while this one was cancelled.
    who = (guest.customer_id, guest.phone_key)
    return not (taken["first_order_only"] and await sql.fetch_value(USED_A_FIRST, order.store_id, order.owner_id, *who))


async def _has_ordered(owner_id: int, store_id: int, guest: Guest) -> bool:
    return bool(await sql.fetch_value(HAS_ORDERED, store_id, owner_id, guest.customer_id, guest.phone_key))


async def _exceeds(limit: int | None, coupon_id: int, owner_id: int, guest: Guest) -> bool:
    if limit is None:
        return False
    used: Any = await sql.fetch_value(OF_GUEST, coupon_id, owner_id, guest.customer_id, guest.phone_key)
    return int(used) >= limit


async def _lock_guest(store_id: int, guest: Guest) -> None:
    for name in guest.names:
        await sql.execute(LOCK_GUEST, f"coupons:{store_id}:{name}")
