"""Folios: room-service orders that are charged to a stay."""

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder
from comanda.db import sql
from comanda.errors import ValidationFailed

# The lock keeps the guests from being checked out until the order is placed.
LOCK_STAY_IN_ROOM = """
    SELECT s.id FROM hotel_stay s JOIN hotel_room r ON r.id = s.room_id AND r.owner_id = s.owner_id
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.number = $3 AND s.status = 'checked_in' FOR SHARE OF s
"""
INSERT_CHARGE = (
    "INSERT INTO hotel_charge (owner_id, stay_id, order_id, amount_minor, created_at) VALUES ($1, $2, $3, $4, $5)"
)
UPDATE_VOIDED_AT = "UPDATE hotel_charge SET voided_at = $3 WHERE order_id = $1 AND owner_id = $2"
LOCK_STAY_OF_ORDER = """
    SELECT s.status FROM hotel_charge c JOIN hotel_stay s ON s.id = c.stay_id AND s.owner_id = c.owner_id
    WHERE c.order_id = $1 AND c.owner_id = $2 FOR SHARE OF s
"""


def validate_room_number(order: OrderRequest) -> Errors:
    """Return an error if the room number is missing."""
    return {} if order.body.room_number else {"room_number": ["Room number is required for room service orders."]}


async def attach_stay(order: OrderRequest) -> None:
    """Attach the stay in the room to the order. Raises ``ValidationFailed`` for a room that is not occupied."""
    number = order.body.room_number
    stay_id = await sql.fetch_value(LOCK_STAY_IN_ROOM, order.terms.id, order.terms.owner_id, number)
    if stay_id is None:
        raise ValidationFailed(room_number=[f"No guest is checked in to room {number}."])
    order.attributes["stay_id"] = stay_id


async def create_charge(order: OrderRequest, order_id: int) -> None:
    """Charge the order to the stay's folio."""
    stay_id = order.attributes["stay_id"]
    await sql.execute(INSERT_CHARGE, order.terms.owner_id, stay_id, order_id, order.total_minor, clock.now())


async def void_charge(order: PlacedOrder) -> None:
    """Void the charge of a cancelled order."""
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, clock.now())


async def restore_charge(order: PlacedOrder) -> None:
    """Restore the charge of a reopened order. Raises ``ValidationFailed`` if the guests have left."""
    status = await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, order.owner_id)
    if status is not None and status != "checked_in":
        raise ValidationFailed(status=["The guests of this order have left, so it cannot be reopened."])
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, None)
