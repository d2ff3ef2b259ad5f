"""Redemptions of coupons, and what becomes of those of promotions too: counted in the transaction of their order.

Counting locks the coupon's row, so what is read of its redemptions after that holds until the commit.
"""

from typing import Any, Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import PlacedOrder
from comanda.platform.db import sql
from comanda.stores import bump_menu_version

from comanda_coupons.services.discounts import (
    CouponRefusalReason,
    LoadedCoupon,
    create_not_applicable_error,
    create_unknown_error,
    create_used_up_error,
)
from comanda_coupons.services.guests import PHONE_KEY_OF_ORDER, CouponGuest
from comanda_coupons.services.promotion_limits import STATE_COLUMNS, is_over, was_over

# A transaction that waits for the row evaluates the conditions again once it gets the lock.
INCREMENT_USED_COUNT: Final = """
    UPDATE coupons_coupon SET used_count = used_count + 1
    WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active
      AND (usage_limit IS NULL OR used_count < usage_limit)
    RETURNING per_customer_limit, first_order_only
"""
SELECT_IS_ACTIVE: Final = """
    SELECT EXISTS (SELECT FROM coupons_coupon WHERE id = $1 AND owner_id = $2 AND deleted_at IS NULL AND is_active)
"""
# A guest may place two first orders at once, with a different coupon each.
LOCK_GUEST: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
SELECT_HAS_ORDERED: Final = f"""
    SELECT EXISTS (SELECT FROM core_order_v1 o WHERE o.customer_id = $3 AND o.owner_id = $2 AND o.store_id = $1
                   AND o.status <> 'cancelled')
        OR EXISTS (SELECT FROM core_order_v1 o WHERE o.store_id = $1 AND o.owner_id = $2 AND {PHONE_KEY_OF_ORDER} = $4
                   AND o.status <> 'cancelled')
"""
COUNT_REDEMPTIONS_OF_GUEST: Final = """
    SELECT count(*) FROM coupons_use
    WHERE coupon_id = $1 AND owner_id = $2 AND returned_at IS NULL AND (customer_id = $3 OR phone_key = $4)
"""
INSERT_REDEMPTION: Final = """
    INSERT INTO coupons_use (owner_id, coupon_id, order_id, customer_id, phone_key, discount_minor, used_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
UPDATE_DISCOUNT: Final = """
    UPDATE coupons_use u SET discount_minor = $3 FROM coupons_coupon c
    WHERE u.order_id = $1 AND u.owner_id = $2 AND c.id = u.coupon_id AND c.owner_id = $2 AND c.code IS NOT NULL
"""
# What promotions have spent counts; ``discount_minor`` of the answer is nothing for a coupon.
RETURN_REDEMPTIONS: Final = f"""
    WITH back AS (
        UPDATE coupons_use SET returned_at = $3 WHERE order_id = $1 AND owner_id = $2 AND returned_at IS NULL
        RETURNING coupon_id, discount_minor)
    UPDATE coupons_coupon c SET used_count = used_count - 1,
        spent_minor = spent_minor - CASE WHEN code IS NULL THEN discount_minor ELSE 0 END
    FROM back WHERE c.id = back.coupon_id AND c.owner_id = $2
    RETURNING {STATE_COLUMNS}, code, discount_minor
"""
SELECT_RETURNED_REDEMPTIONS: Final = """
    SELECT u.coupon_id, u.customer_id, u.phone_key, u.discount_minor, c.code, c.name, c.first_order_only
    FROM coupons_use u JOIN coupons_coupon c ON c.id = u.coupon_id AND c.owner_id = u.owner_id
    WHERE u.order_id = $1 AND u.owner_id = $2 AND u.returned_at IS NOT NULL ORDER BY u.coupon_id
"""
# The order keeps its discount, so it does not matter whether the coupon has ended or is deleted.
REINCREMENT_USED_COUNT: Final = """
    UPDATE coupons_coupon SET used_count = used_count + 1,
        spent_minor = spent_minor + CASE WHEN code IS NULL THEN $3 ELSE 0 END
    WHERE id = $1 AND owner_id = $2 AND (usage_limit IS NULL OR used_count < usage_limit)
      AND (budget_minor IS NULL OR spent_minor + $3 <= budget_minor)
    RETURNING per_customer_limit, first_order_only
"""
RESTORE_REDEMPTION: Final = "UPDATE coupons_use SET returned_at = NULL WHERE order_id = $1 AND owner_id = $2"
SELECT_HAS_FIRST_ORDER: Final = """
    SELECT EXISTS (
        SELECT FROM coupons_coupon c JOIN coupons_use u ON u.coupon_id = c.id AND u.owner_id = c.owner_id
        WHERE c.store_id = $1 AND c.owner_id = $2 AND c.first_order_only AND u.returned_at IS NULL
          AND (u.customer_id = $3 OR u.phone_key = $4))
"""


async def redeem_coupon(owner_id: int, store_id: int, coupon: LoadedCoupon, guest: CouponGuest) -> None:
    """Count a redemption before its order is stored. Raises ``CouponRefused``."""
    if coupon.first_order_only:
        await lock_guest(store_id, guest)
    limits = await sql.fetch_one(INCREMENT_USED_COUNT, coupon.id, owner_id)
    if limits is None:
        is_active = await sql.fetch_value(SELECT_IS_ACTIVE, coupon.id, owner_id)
        raise (
            create_used_up_error(Sentence("The coupon %(code)s has reached its usage limit.", code=coupon.code))
            if is_active
            else create_unknown_error(coupon.code)
        )
    if await _exceeds_limit(limits["per_customer_limit"], coupon.id, owner_id, guest):
        raise create_used_up_error(
            Sentence("You have already used the coupon %(code)s the maximum number of times.", code=coupon.code)
        )
    if limits["first_order_only"] and await has_ordered(owner_id, store_id, guest):
        raise create_not_applicable_error(
            Sentence("The coupon %(code)s is only valid for your first order.", code=coupon.code)
        )
    # Checked last, and not when a cart is priced: the guest is known when the order is placed.
    if not guest.is_known and (limits["first_order_only"] or limits["per_customer_limit"] is not None):
        raise create_not_applicable_error(
            Sentence("A phone number is required in phone to use the coupon %(code)s.", code=coupon.code)
        )


async def record_redemption(
    owner_id: int, coupon_id: int, order_id: int, guest: CouponGuest, discount_minor: int
) -> None:
    """Record who redeemed a coupon for which order, once the order has an id."""
    identity = (guest.customer_id, guest.phone_key)
    await sql.execute(INSERT_REDEMPTION, owner_id, coupon_id, order_id, *identity, discount_minor, clock.now())


async def update_discount(owner_id: int, order_id: int, discount_minor: int) -> None:
    """Update what a redemption takes off, after the lines of its order have changed."""
    await sql.execute(UPDATE_DISCOUNT, order_id, owner_id, discount_minor)


async def release_redemptions(order: PlacedOrder) -> None:
    """Return the redemptions of a cancelled order, if it has any."""
    rows = await sql.fetch(RETURN_REDEMPTIONS, order.id, order.owner_id, clock.now())
    if any(row["code"] is None and was_over(row, 1, row["discount_minor"]) and not is_over(row) for row in rows):
        await bump_menu_version(order.owner_id, order.store_id)


async def restore_redemptions(order: PlacedOrder) -> None:
    """Restore the redemptions of a reopened order. Raises ``ValidationFailed`` if no redemption is left."""
    rows = await sql.fetch(SELECT_RETURNED_REDEMPTIONS, order.id, order.owner_id)
    for redemption in rows:
        await _restore(order, redemption)
    if rows:
        await sql.execute(RESTORE_REDEMPTION, order.id, order.owner_id)
    if any(row["code"] is None for row in rows):
        await bump_menu_version(order.owner_id, order.store_id)


async def _restore(order: PlacedOrder, redemption: sql.Row) -> None:
    guest = CouponGuest(redemption["customer_id"], redemption["phone_key"])
    if redemption["first_order_only"]:
        await lock_guest(order.store_id, guest)
    if not await _redeem_again(order, redemption, guest):
        what = f"coupon {redemption['code']}" if redemption["code"] else f"promotion {redemption['name']}"
        message = f"The order cannot be reopened: its {what} has reached its usage limit."
        raise ValidationFailed({"status": [message]}, extras={"reason": CouponRefusalReason.USED_UP})


async def _redeem_again(order: PlacedOrder, redemption: sql.Row, guest: CouponGuest) -> bool:
    limits = await sql.fetch_one(
        REINCREMENT_USED_COUNT, redemption["coupon_id"], order.owner_id, redemption["discount_minor"]
    )
    if limits is None or await _exceeds_limit(
        limits["per_customer_limit"], redemption["coupon_id"], order.owner_id, guest
    ):
        return False
    # A later order may have become the guest's first while this one was cancelled.
    identity = (guest.customer_id, guest.phone_key)
    return not (
        limits["first_order_only"]
        and await sql.fetch_value(SELECT_HAS_FIRST_ORDER, order.store_id, order.owner_id, *identity)
    )


async def has_ordered(owner_id: int, store_id: int, guest: CouponGuest) -> bool:
    """Return whether a guest has an earlier order in a store, except for cancelled ones."""
    return bool(await sql.fetch_value(SELECT_HAS_ORDERED, store_id, owner_id, guest.customer_id, guest.phone_key))


async def _exceeds_limit(limit: int | None, coupon_id: int, owner_id: int, guest: CouponGuest) -> bool:
    if limit is None:
        return False
    used: Any = await sql.fetch_value(
        COUNT_REDEMPTIONS_OF_GUEST, coupon_id, owner_id, guest.customer_id, guest.phone_key
    )
    return int(used) >= limit


async def lock_guest(store_id: int, guest: CouponGuest) -> None:
    """Lock the first order of a guest until the open transaction ends."""
    for name in guest.lock_names:
        await sql.execute(LOCK_GUEST, f"coupons:{store_id}:{name}")
