"""Merging two open checks: lines, rounds and payments go to the one that stays, in one transaction."""

from dataclasses import replace
from typing import Final

from comanda.basics import clock
from comanda.basics.errors import ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.status import Status
from comanda.orders import queries, status
from comanda.orders.amendments import check_prices, storage
from comanda.orders.amendments.check import NOTHING_LEFT, Check, lock_check, require_open
from comanda.orders.amendments.open_checks import CheckPlace, get_menu
from comanda.orders.amendments.records import Amending, AmendmentKind, LineChange
from comanda.orders.records import Order, set_promotions
from comanda.platform.db import sql

# The field of an order whose lines and payments another one has taken over.
MERGED_INTO: Final = "merged_into"


async def merge_orders(place: CheckPlace, other_id: int) -> Order:
    """Merge another open check of the store into one and return it; the other is cancelled with ``merged_into``.

    Lines, rounds and payments go to the order that stays. A coupon of the other one is given back. Emits
    ``OrderAmended`` for the order that stays and ``OrderStatusChanged`` for the other. Raises ``NotFound``,
    ``Conflict`` unless both are open checks, and ``ValidationFailed`` for what a participant refuses.
    """
    if other_id == place.order_id:
        raise ValidationFailed(order_id=[Sentence("An order cannot be merged with itself.")])
    menu = await get_menu(place)
    async with sql.transaction():
        # In the order of their ids, so that two waiters who merge the same two do not wait for each other.
        locked = {
            order_id: await lock_check(place.caller.owner_id, place.store_id, order_id)
            for order_id in sorted((place.order_id, other_id))
        }
        check, other = locked[place.order_id], locked[other_id]
        require_open(check)
        require_open(other)
        _check_mergeable(other)
        check.absorbed = other
        check.lines += other.lines
        check.discounts += other.discounts
        amending = place.amending(AmendmentKind.MERGE, merged_from=other_id)
        await storage.save_amendment(check, check_prices.price_check(check, menu, amending), amending)
        await _close_merged(other, check.order, amending)
    return await queries.get_order(place.caller.owner_id, place.store_id, place.order_id)


def _check_mergeable(other: Check) -> None:
    if any(discount.line_id is None for discount in other.discounts):
        raise ValidationFailed(
            order_id=[Sentence("Order %(number)s has a discount. Remove it first.", number=other.order.number)]
        )


async def _close_merged(other: Check, into: Order, amending: Amending) -> None:
    """Cancel an order whose lines and payments another one has taken over."""
    order = other.order
    left = replace(
        order,
        **NOTHING_LEFT,
        attributes={**set_promotions(order.attributes, (), order.currency), MERGED_INTO: into.id},
        given_discounts=(),
        amendments=order.amendments + 1,
        updated_at=clock.now(),
    )
    changes = [LineChange(line.id, line.item_id, line.name, -line.quantity) for line in order.lines]
    await storage.save_order(left, changes, amending)
    await status.change_status(other.placed, Status.CANCELLED, actor=amending.caller.actor)
