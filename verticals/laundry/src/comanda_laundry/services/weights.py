"""Weights: a line gets the price of what it weighs, as an amendment of its order."""

from typing import Final

from comanda.basics import MAX_MINOR, Sentence, ValidationFailed, clock, round_half_up, to_decimal_string
from comanda.contracts import MEASURE_SIGN, Caller, LinePrice
from comanda.orders.amendments import OWN_RIGHT, Approval, CheckPlace, open_checks
from comanda.platform.db import sql

from comanda_laundry.records import LaundryOrder
from comanda_laundry.schemas import WeightBody
from comanda_laundry.services.laundries import lock_open_order, require_laundry
from comanda_laundry.services.orders import get_order

GRAMS_OF_KG: Final = 1000
REASON: Final = "Weighed"

SELECT_LINE: Final = """
    SELECT w.price_per_kg_minor, w.grams, o.paid_at, o.currency FROM laundry_weighed_line w
    JOIN core_order_v1 o ON o.id = w.order_id AND o.owner_id = w.owner_id
    WHERE w.line_id = $1 AND w.owner_id = $2 AND w.order_id = $3
"""
SAVE_WEIGHT: Final = """
    UPDATE laundry_weighed_line SET grams = $3, weighed_at = $4, weighed_by = $5 WHERE line_id = $1 AND owner_id = $2
"""


async def weigh_line(
    caller: Caller, store_id: int, order_id: int, line_id: int, body: WeightBody, approval: Approval = OWN_RIGHT
) -> LaundryOrder:
    """Set what a line weighs and settle its order's total; the same weight again changes nothing.

    A paid order is opened again: what it costs more is due. Emits ``OrderAmended``. Raises ``NotFound``; ``Conflict``
    for an order that is closed; ``ValidationFailed`` with the reason ``refund_due`` if it costs less than was paid and
    the body has no ``refund``, which ``approval`` is needed for.
    """
    await require_laundry(caller, store_id)
    place = CheckPlace(caller, store_id, order_id, approval, body.refund)
    # Before the order is locked, as reading a whole menu may take a while.
    await open_checks.get_menu(place)
    async with sql.transaction():
        # Two scales may send the weight of one line.
        await lock_open_order(caller, store_id, order_id)
        line = await sql.require_one(SELECT_LINE, line_id, caller.owner_id, order_id)
        if line["grams"] != body.grams:
            price = to_line_price(line["price_per_kg_minor"], body.grams, line["currency"])
            if line["paid_at"] is not None:
                # To weigh, nobody needs the right to reopen orders: the weight was to come.
                await open_checks.reopen_order(CheckPlace(caller, store_id, order_id), REASON)
            await open_checks.price_line(place, line_id, 1, price, f"{REASON}: {price.label}")
            await sql.execute(SAVE_WEIGHT, line_id, caller.owner_id, body.grams, clock.now(), caller.actor)
    return await get_order(caller, store_id, order_id)


def to_line_price(price_per_kg_minor: int, grams: int, currency: str) -> LinePrice:
    """Return the price of a weight. Raises ``ValidationFailed`` for one that is more than an order may cost."""
    price_minor = round_half_up(price_per_kg_minor * grams, GRAMS_OF_KG)
    if price_minor > MAX_MINOR:
        raise ValidationFailed(grams=[Sentence("This weight costs more than an order may.")])
    per_kg = to_decimal_string(price_per_kg_minor, currency)
    weight = f"{grams // GRAMS_OF_KG}.{grams % GRAMS_OF_KG:03d} kg"
    return LinePrice(price_minor, f"{weight}{MEASURE_SIGN}{per_kg}")
