"""Assignment of rooms to stays: at booking, before arrival, at check-in, and when guests move."""

from datetime import date

import asyncpg
from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.platform.db import get_constraint_name, sql
from tortoise.exceptions import IntegrityError

from comanda_hotel import models
from comanda_hotel.models import Housekeeping, Stay, StayStatus
from comanda_hotel.records.stays import StayWithFolio
from comanda_hotel.services import availability, hotels, room_nights, room_types, rooms, stay_records, stays
from comanda_hotel.services.availability import StayRequest
from comanda_hotel.services.hotels import Hotel

READY_STATUSES = (Housekeeping.CLEAN, Housekeeping.INSPECTED)

# A room that is unassigned on these nights and not occupied, inspected rooms first.
SELECT_FREE_ROOM = """
    SELECT r.id, r.status FROM hotel_room r
    WHERE r.room_type_id = $1 AND r.owner_id = $2 AND r.is_active AND r.status <> 'out_of_order'
      AND NOT EXISTS (SELECT FROM hotel_room_night n WHERE n.room_id = r.id AND n.owner_id = r.owner_id
                        AND n.night >= $3 AND n.night < $4 AND n.stay_id IS DISTINCT FROM $5)
      AND NOT EXISTS (SELECT FROM hotel_stay s WHERE s.room_id = r.id AND s.owner_id = r.owner_id
                        AND s.status = 'checked_in' AND s.id <> $5)
    ORDER BY array_position(ARRAY['inspected', 'clean', 'dirty'], r.status::text), length(r.number), r.number
    LIMIT 1
"""
SELECT_OTHER_OCCUPANT = (
    "SELECT id FROM hotel_stay WHERE room_id = $1 AND owner_id = $2 AND status = 'checked_in' AND id <> $3"
)


async def move_stay(caller: Caller, store_id: int, stay_id: int, room_id: int | None) -> StayWithFolio:
    """Assign another room to a stay, or none. The stay takes the type of the new room at the agreed price.

    Raises ``NotFound``, ``ValidationFailed`` for a room that the hotel does not have; ``Conflict`` when the stay is
    over, or the room is taken, occupied or out of order.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        if not stays.is_room_reserved(stay.status):
            raise Conflict(f"This stay is {stay.status}.", extras={"reason": "stay_over"})
        if room_id != stay.room_id:
            left = stay.room_id
            await (_unassign_room(hotel, stay) if room_id is None else assign_room(hotel, stay, room_id))
            stay.updated_at = clock.now()
            await save_stay(stay)
            if left is not None and stay.status == StayStatus.CHECKED_IN:
                await set_room_dirty(hotel, left)
    return await stay_records.get_stay(caller, store_id, stay_id)


async def assign_room(hotel: Hotel, stay: Stay, room_id: int) -> models.Room:
    """Assign a room to a locked stay for its nights from today on; the stay is not saved.

    Locks the types of both rooms, then the room. Raises ``ValidationFailed``, ``Conflict``.
    """
    try:
        type_id = (await rooms.find_room(hotel, room_id)).room_type_id
        await room_types.lock_room_types(hotel, stay.room_type_id, type_id)
        room = await rooms.lock_room(hotel, room_id)
    except NotFound as error:
        raise ValidationFailed(room_id=[f"This hotel has no room {room_id}."]) from error
    if room.room_type_id != type_id:
        raise Conflict(
            Sentence("Room %(number)s has just been moved to another room type. Try again.", number=room.number)
        )
    check_room_usable(room)
    if room.room_type_id != stay.room_type_id:
        await _update_room_type(hotel, stay, room)
    if stay.status == StayStatus.CHECKED_IN:
        await check_room_empty(room, stay)
    await assign_remaining_nights(hotel, stay, room)
    stay.room_id = room.id
    return room


async def assign_remaining_nights(hotel: Hotel, stay: Stay, room: models.Room) -> None:
    """Assign the room's nights from today on to the stay. Raises ``Conflict``."""
    since = max(stay.check_in, hotel.today())
    await room_nights.assign_nights(room, stay.id, since, max(since, stay.check_out))


async def choose_room(hotel: Hotel, stay: Stay) -> int:
    """Return the id of a free, clean room of the stay's type; locks the type.

    Raises ``Conflict`` with the reason ``no_free_room``, or ``no_clean_room`` if all free rooms have yet to be cleaned.
    """
    await room_types.lock_room_types(hotel, stay.room_type_id)
    since = max(stay.check_in, hotel.today())
    found = await sql.fetch_one(SELECT_FREE_ROOM, stay.room_type_id, stay.owner_id, since, stay.check_out, stay.id)
    if found is None:
        raise Conflict(Sentence("No room of this type is free for these nights."), extras={"reason": "no_free_room"})
    if found["status"] not in READY_STATUSES:
        raise Conflict(
            Sentence("Every free room of this type has yet to be cleaned."), extras={"reason": "no_clean_room"}
        )
    return int(found["id"])


def check_room_usable(room: models.Room) -> None:
    """Raise ``Conflict`` for a room that is out of order or not in use."""
    if not room.is_active or room.status == Housekeeping.OUT_OF_ORDER:
        raise Conflict(
            Sentence("Room %(number)s is out of order.", number=room.number), extras={"reason": "out_of_order"}
        )


async def check_room_empty(room: models.Room, stay: Stay) -> None:
    """Raise ``Conflict`` while other guests are in the room."""
    if await sql.fetch_value(SELECT_OTHER_OCCUPANT, room.id, room.owner_id, stay.id):
        raise Conflict(
            Sentence("Other guests are in room %(number)s.", number=room.number), extras={"reason": "room_occupied"}
        )


async def set_room_dirty(hotel: Hotel, room_id: int) -> None:
    """Mark a vacated room as dirty."""
    room = await rooms.lock_room(hotel, room_id)
    if room.status != Housekeeping.OUT_OF_ORDER:
        room.status = Housekeeping.DIRTY
        await room.save(update_fields=["status"])


async def save_stay(stay: Stay) -> None:
    """Save a stay. Raises ``Conflict`` if its room has been occupied in the meantime."""
    try:
        await stay.save()
    except IntegrityError as error:
        cause = error.__cause__
        if isinstance(cause, asyncpg.UniqueViolationError) and get_constraint_name(cause) == "hotel_stay_in_house":
            raise Conflict(Sentence("Other guests are in this room."), extras={"reason": "room_occupied"}) from error
        raise


async def _unassign_room(hotel: Hotel, stay: Stay) -> None:
    if stay.status == StayStatus.CHECKED_IN:
        raise Conflict(
            Sentence("The guests are in this room. Choose the room they move to."), extras={"reason": "room_occupied"}
        )
    await room_nights.release_nights(stay.id, hotel.owner_id)
    stay.room_id = None


async def _update_room_type(hotel: Hotel, stay: Stay, room: models.Room) -> None:
    """Change the stay's room type to that of the room. Raises ``Conflict`` if that type is sold out."""
    since: date = max(stay.check_in, hotel.today())
    if since < stay.check_out:
        types = [await room_types.find_room_type(hotel, room.room_type_id)]
        request = StayRequest(since, stay.check_out, 1, 0)
        (offer,) = await availability.list_offers(hotel, types, request, stay.id)
        if min(free for _, _, free in offer.nightly) < 1:
            raise Conflict(
                Sentence("%(name)s is sold out on one of these nights.", name=types[0].name),
                extras={"reason": "sold_out"},
            )
    stay.room_type_id = room.room_type_id
