"""Folios: room-service orders that are charged to a stay."""

from comanda.basics import Sentence, ValidationFailed, clock, split_words
from comanda.contracts import Contribution, NewOrder, OrderRequest, PlacedOrder, Problem, Reservation
from comanda.platform.db import sql

# The lock keeps the guests from being checked out until the order is placed.
LOCK_STAY_IN_ROOM = """
    SELECT s.id, s.guest_name FROM hotel_stay s JOIN hotel_room r ON r.id = s.room_id AND r.owner_id = s.owner_id
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.number = $3 AND s.status = 'checked_in' FOR SHARE OF s
"""
INSERT_CHARGE = (
    "INSERT INTO hotel_charge (owner_id, stay_id, order_id, amount_minor, created_at) VALUES ($1, $2, $3, $4, $5)"
)
# The audience of orders from a store's page, whose guests nobody knows.
PUBLIC_AUDIENCE = "storefront"
# Initials and particles are no proof of knowing a guest.
MIN_NAME_LENGTH = 2
UPDATE_CHARGE = "UPDATE hotel_charge SET amount_minor = $3 WHERE order_id = $1 AND owner_id = $2"
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
    """Attach the stay in the room to the order. Raises ``ValidationFailed`` for a room that is not occupied.

    Who orders on the hotel's public page must also know a name of the stay's guest, and is not told which of both is
    wrong: anybody could charge rooms otherwise.
    """
    number, terms = request.body.room_number, request.terms
    stay = await sql.fetch_one(LOCK_STAY_IN_ROOM, terms.id, terms.owner_id, number)
    if request.audience == PUBLIC_AUDIENCE:
        if stay is None or not _is_name_of(request.body.customer_name, stay["guest_name"]):
            raise ValidationFailed(room_number=[Sentence("No guest of this name is checked in to this room.")])
    elif stay is None:
        raise ValidationFailed(room_number=[Sentence("No guest is checked in to room %(number)s.", number=number)])
    return Reservation(state=stay["id"], attributes={"stay_id": stay["id"]})


def _is_name_of(given: str | None, guest_name: str) -> bool:
    """Return whether the last word of a name is one of the guest's names."""
    words = split_words(given or "", None)
    return bool(words) and len(words[-1]) >= MIN_NAME_LENGTH and words[-1] in split_words(guest_name, None)


async def create_charge(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Charge the order to the stay's folio."""
    await sql.execute(INSERT_CHARGE, request.terms.owner_id, order.reserved, order.id, order.total_minor, clock.now())


async def update_charge(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Charge what an amended order costs now. Raises ``ValidationFailed`` if the guests have left."""
    status = await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, request.terms.owner_id)
    if status is not None and status != "checked_in":
        raise ValidationFailed(status=[Sentence("The guests of this order have left, so it cannot be changed.")])
    await sql.execute(UPDATE_CHARGE, order.id, request.terms.owner_id, order.total_minor)


async def void_charge(order: PlacedOrder) -> None:
    """Void the charge of a cancelled order."""
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, clock.now())


async def restore_charge(order: PlacedOrder) -> None:
    """Restore the charge of a reopened order. Raises ``ValidationFailed`` if the guests have left."""
    status = await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, order.owner_id)
    if status is not None and status != "checked_in":
        raise ValidationFailed(status=[Sentence("The guests of this order have left, so it cannot be reopened.")])
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, None)
