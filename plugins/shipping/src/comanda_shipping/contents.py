"""What a shipment holds: pieces of an order's lines, never more than the order has left."""

from collections.abc import Sequence
from typing import Final

from comanda.db import sql
from comanda.errors import Conflict, ValidationFailed

from comanda_shipping.schemas import ContentBody
from comanda_shipping.states import VOID

# Whoever asks has locked the order, so that two shipments cannot both hold the last piece.
LEFT: Final = f"""
    SELECT l.id, l.name, l.quantity - coalesce((
        SELECT sum(h.quantity) FROM shipping_shipment_line h
        JOIN shipping_shipment s ON s.id = h.shipment_id AND s.owner_id = h.owner_id
        WHERE h.order_line_id = l.id AND h.owner_id = l.owner_id
          AND s.status NOT IN ({", ".join(f"'{status}'" for status in VOID)})), 0)::int AS quantity
    FROM core_order_line l WHERE l.order_id = $1 AND l.owner_id = $2 ORDER BY l.position
"""
HOLD: Final = """
    INSERT INTO shipping_shipment_line (owner_id, shipment_id, order_line_id, quantity)
    SELECT $1, $2, w.order_line_id, w.quantity FROM unnest($3::bigint[], $4::int[]) AS w (order_line_id, quantity)
"""


async def choose(owner_id: int, order_id: int, wanted: Sequence[ContentBody] | None) -> dict[int, int]:
    """Return the pieces to ship by line: those wanted, or all that are left.

    Raises ``Conflict`` when nothing is left, ``ValidationFailed`` for lines or pieces that the order does not have.
    """
    left = {row["id"]: row for row in await sql.fetch(LEFT, order_id, owner_id)}
    if all(row["quantity"] == 0 for row in left.values()):
        raise Conflict("Everything of this order is shipped.", extras={"reason": "shipped"})
    if wanted is None:
        return {line_id: row["quantity"] for line_id, row in left.items() if row["quantity"]}
    return _checked(wanted, left)


async def hold(owner_id: int, shipment_id: int, pieces: dict[int, int]) -> None:
    """Write down what a shipment holds."""
    await sql.execute(HOLD, owner_id, shipment_id, list(pieces), list(pieces.values()))


def _checked(wanted: Sequence[ContentBody], left: dict[int, sql.Row]) -> dict[int, int]:
    pieces: dict[int, int] = {}
    errors: dict[str, list[str]] = {}
    for position, each in enumerate(wanted):
        path, line = f"items.{position}", left.get(each.order_line_id)
        if line is None:
            errors[f"{path}.order_line_id"] = [f"This order has no line {each.order_line_id}."]
        elif each.order_line_id in pieces:
            errors[f"{path}.order_line_id"] = [f"Name {line['name']} once, with all its pieces."]
        else:
            pieces[each.order_line_id] = line["quantity"] if each.quantity is None else each.quantity
            if not 0 < pieces[each.order_line_id] <= line["quantity"]:
                errors[f"{path}.quantity"] = [f"Of {line['name']}, {line['quantity']} are left to ship."]
    if errors:
        raise ValidationFailed(errors)
    return pieces
