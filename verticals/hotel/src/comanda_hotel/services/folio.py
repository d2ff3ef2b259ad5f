"""Folios: room-service orders that are charged to a stay."""

from comanda import clock
from comanda.contracts.order_participants import (
    Contribution,
    NewOrder,
    OrderRequest,
    PlacedOrder,
    Problem,
    Reservation,
)
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


def validate_room_number(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return a problem if the room number is missing."""
    if request.body.room_number:
        return None
    return Contribution(problems=[Problem("room_number", "Room number is required for room service orders.")])


async def attach_stay(request: OrderRequest, _loaded: None) -> Reservation:
    """Attach the stay in the room to the order. Raises ``ValidationFailed`` for a room that is not occupied."""
    number, terms = request.body.room_number, request.terms
    stay_id = await sql.fetch_value(LOCK_STAY_IN_ROOM, terms.id, terms.owner_id, number)
    if stay_id is None:
        raise ValidationFailed(room_number=[f"No guest is checked in to room {number}."])
    return Reservation(state=stay_id, attributes={"stay_id": stay_id})


async def create_charge(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Charge the order to the stay's folio."""
    await sql.execute(INSERT_CHARGE, request.terms.owner_id, order.reserved, order.id, order.total_minor, clock.now())


async def void_charge(order: PlacedOrder) -> None:
    """Void the charge of a cancelled order."""
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, clock.now())


async def restore_charge(order: PlacedOrder) -> None:
    """Restore the charge of a reopened order. Raises ``ValidationFailed`` if the guests have left."""
    status = await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, order.owner_id)
    if status is not None and status != "checked_in":
        raise ValidationFailed(status=["The guests of this order have left, so it cannot be reopened."])
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, None)
