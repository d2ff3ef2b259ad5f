"""The contents of a shipment: quantities of an order's lines, never more than is left to ship."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed
from comanda.platform.db import sql

from comanda_shipping.schemas import ContentBody
from comanda_shipping.services.status_transitions import VOID_STATUSES

# The caller has locked the order, so that two shipments cannot both contain the last piece.
SELECT_UNSHIPPED_LINES: Final = f"""
    SELECT l.id, l.name, l.quantity - coalesce((
        SELECT sum(h.quantity) FROM shipping_shipment_line h
        JOIN shipping_shipment s ON s.id = h.shipment_id AND s.owner_id = h.owner_id
        WHERE h.order_line_id = l.id AND h.owner_id = l.owner_id
          AND s.status NOT IN ({", ".join(f"'{status}'" for status in VOID_STATUSES)})), 0)::int AS quantity
    FROM core_order_line_v1 l WHERE l.order_id = $1 AND l.owner_id = $2 ORDER BY l.position
"""
INSERT_SHIPMENT_LINES: Final = """
    INSERT INTO shipping_shipment_line (owner_id, shipment_id, order_line_id, quantity)
    SELECT $1, $2, w.order_line_id, w.quantity FROM unnest($3::bigint[], $4::int[]) AS w (order_line_id, quantity)
"""


async def choose_quantities(owner_id: int, order_id: int, requested: Sequence[ContentBody] | None) -> dict[int, int]:
    """Return the quantity to ship by order line: as requested, or all that is left.

    Raises ``Conflict`` if nothing is left, ``ValidationFailed`` for an unknown line or too large a quantity.
    """
    left = {row["id"]: row for row in await sql.fetch(SELECT_UNSHIPPED_LINES, order_id, owner_id)}
    if all(row["quantity"] == 0 for row in left.values()):
        raise Conflict(Sentence("This order is fully shipped."), extras={"reason": "shipped"})
    if requested is None:
        return {line_id: row["quantity"] for line_id, row in left.items() if row["quantity"]}
    return _check_quantities(requested, left)


async def create_shipment_lines(owner_id: int, shipment_id: int, quantities: dict[int, int]) -> None:
    await sql.execute(INSERT_SHIPMENT_LINES, owner_id, shipment_id, list(quantities), list(quantities.values()))


def _check_quantities(requested: Sequence[ContentBody], left: dict[int, sql.Row]) -> dict[int, int]:
    quantities: dict[int, int] = {}
    errors: dict[str, list[str]] = {}
    for position, each in enumerate(requested):
        path, line = f"items.{position}", left.get(each.order_line_id)
        if line is None:
            errors[f"{path}.order_line_id"] = [f"This order has no line {each.order_line_id}."]
        elif each.order_line_id in quantities:
            errors[f"{path}.order_line_id"] = [f"{line['name']} is listed twice. List each line once."]
        else:
            quantities[each.order_line_id] = line["quantity"] if each.quantity is None else each.quantity
            if not 0 < quantities[each.order_line_id] <= line["quantity"]:
                errors[f"{path}.quantity"] = [f"{line['name']} has {line['quantity']} left to ship."]
    if errors:
        raise ValidationFailed(errors)
    return quantities
