"""The uses of promotions with limits, counted in the transaction of their order.

A budget is never exceeded and never refuses twice: an order takes at most the promotion's highest discount, and the
promotion is over as soon as less than that is left. The order that uses the last of it makes every process reload.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda.basics import Sentence, clock
from comanda.contracts import OrderPromotion
from comanda.platform.db import sql
from comanda.stores import bump_menu_version

from comanda_coupons.services.guests import CouponGuest
from comanda_coupons.services.promotion_limits import STATE_COLUMNS, is_over, was_over

LOCK_PROMOTIONS: Final = """
    SELECT id FROM coupons_coupon WHERE owner_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR NO KEY UPDATE
"""
# A transaction that waits for the row evaluates the conditions again once it gets the lock.
TAKE_USE: Final = f"""
    UPDATE coupons_coupon SET used_count = used_count + 1, spent_minor = spent_minor + $3
    WHERE id = $1 AND owner_id = $2 AND ($4 OR (deleted_at IS NULL AND is_active
      AND (usage_limit IS NULL OR used_count < usage_limit)
      AND (budget_minor IS NULL OR spent_minor + greatest($3, max_discount_minor) <= budget_minor)))
    RETURNING {STATE_COLUMNS}
"""
INSERT_USE: Final = """
    INSERT INTO coupons_use (owner_id, coupon_id, order_id, customer_id, phone_key, discount_minor, used_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
SELECT_USES: Final = """
    SELECT u.coupon_id, u.discount_minor FROM coupons_use u
    JOIN coupons_coupon c ON c.id = u.coupon_id AND c.owner_id = u.owner_id
    WHERE u.order_id = $1 AND u.owner_id = $2 AND c.code IS NULL AND u.returned_at IS NULL ORDER BY u.coupon_id
"""
CHANGE_USE: Final = f"""
    WITH changed AS (
        UPDATE coupons_use SET discount_minor = discount_minor + $4
        WHERE coupon_id = $1 AND owner_id = $2 AND order_id = $3)
    UPDATE coupons_coupon SET spent_minor = spent_minor + $4
    WHERE id = $1 AND owner_id = $2 AND ($5 OR $4 <= 0 OR budget_minor IS NULL OR spent_minor + $4 <= budget_minor)
    RETURNING {STATE_COLUMNS}
"""


class PromotionIsOver(Exception):
    """A promotion that an order was priced with has no use left, or not enough of its budget."""

    def __init__(self, name: str) -> None:
        self.message = Sentence("The promotion %(name)s is over. Prices have changed.", name=name)
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class UsedOrder:
    """An order whose uses are counted, and by whom it is; ``is_unchecked`` is for one that takes over another's."""

    owner_id: int
    store_id: int
    order_id: int
    guest: CouponGuest
    is_amended: bool
    is_unchecked: bool


async def lock_promotions(owner_id: int, ids: Sequence[int]) -> None:
    """Lock promotions until the open transaction ends."""
    await sql.execute(LOCK_PROMOTIONS, owner_id, list(ids))


async def settle_uses(order: UsedOrder, used: Sequence[OrderPromotion]) -> None:
    """Count what an order uses, and what it has used less or more than before. Raises ``PromotionIsOver``."""
    known = await _get_known(order) if order.is_amended else {}
    amounts = {each.id: (each.name, each.amount_minor) for each in used}
    has_turned = False
    for id in sorted(known.keys() | amounts.keys()):
        name, amount = amounts.get(id, ("", 0))
        if id not in known:
            has_turned |= await _take(order, id, name, amount)
        elif amount != known[id]:
            has_turned |= await _change(order, id, name, amount - known[id])
    if has_turned:
        await bump_menu_version(order.owner_id, order.store_id)


async def _get_known(order: UsedOrder) -> dict[int, int]:
    rows = await sql.fetch(SELECT_USES, order.order_id, order.owner_id)
    return {row["coupon_id"]: row["discount_minor"] for row in rows}


async def _take(order: UsedOrder, id: int, name: str, amount: int) -> bool:
    """Count a use, and return whether it was the last one."""
    row = await sql.fetch_one(TAKE_USE, id, order.owner_id, amount, order.is_unchecked)
    if row is None:
        raise PromotionIsOver(name)
    guest = order.guest
    await sql.execute(
        INSERT_USE, order.owner_id, id, order.order_id, guest.customer_id, guest.phone_key, amount, clock.now()
    )
    return is_over(row)


async def _change(order: UsedOrder, id: int, name: str, difference: int) -> bool:
    """Change what a use takes off, and return whether the promotion is over now or no longer."""
    row = await sql.fetch_one(CHANGE_USE, id, order.owner_id, order.order_id, difference, order.is_unchecked)
    if row is None:
        raise PromotionIsOver(name)
    return is_over(row) != was_over(row, 0, -difference)
