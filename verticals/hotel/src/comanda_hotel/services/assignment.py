"""Gives rooms to stays: at booking, before arrival, at check-in, and when guests move."""

from datetime import date

import asyncpg
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from tortoise.exceptions import IntegrityError

from comanda_hotel.models import Housekeeping, Room, Stay, StayStatus
from comanda_hotel.services import availability, hotels, nights, records, room_types, rooms, stays
from comanda_hotel.services.availability import Wanted
from comanda_hotel.services.hotels import Hotel

READY = (Housekeeping.CLEAN, Housekeeping.INSPECTED)

# A room that nobody has for these nights and nobody is in, the best prepared first.
CHOOSE = """
    SELECT r.id, r.status FROM hotel_room r
    WHERE r.room_type_id = $1 AND r.owner_id = $2 AND r.is_active AND r.status <> 'out_of_order'
      AND NOT EXISTS (SELECT FROM hotel_room_night n WHERE n.room_id = r.id AND n.owner_id = r.owner_id
                        AND n.night >= $3 AND n.night < $4 AND n.stay_id IS DISTINCT FROM $5)
      AND NOT EXISTS (SELECT FROM hotel_stay s WHERE s.room_id = r.id AND s.owner_id = r.owner_id
                        AND s.status = 'checked_in' AND s.id <> $5)
    ORDER BY array_position(ARRAY['inspected', 'clean', 'dirty'], r.status::text), length(r.number), r.number
    LIMIT 1
"""
OCCUPIED = "SELECT id FROM hotel_stay WHERE room_id = $1 AND owner_id = $2 AND status = 'checked_in' AND id <> $3"


async def move(caller: Caller, store_id: int, stay_id: int, room_id: int | None) -> dict[str, object]:
    """Give a stay another room, or none; one of another type becomes the stay's type, at the price agreed.

    Raises ``NotFound``, ``ValidationFailed`` for a room that the hotel does not have; ``Conflict`` when the stay is
    over, or the room is taken, occupied or out of order.
    """
    hotel = await hotels.find(caller, store_id)
    async with sql.transaction():
        stay = await stays.lock(hotel, stay_id)
        if not stays.holds_room(stay.status):
            raise Conflict(f"This stay is {stay.status}.", extras={"reason": "stay_over"})
        if room_id != stay.room_id:
            left = stay.room_id
            await (_take_away(hotel, stay) if room_id is None else assign(hotel, stay, room_id))
            stay.updated_at = clock.now()
            await save(stay)
            if left is not None and stay.status == StayStatus.CHECKED_IN:
                await soil(hotel, left)
    return await records.stay(caller, store_id, stay_id)


async def assign(hotel: Hotel, stay: Stay, room_id: int) -> Room:
    """Give a room to a stay that is locked, for its nights from today on; the stay is not saved.

    Locks the types of both rooms, then the room. Raises ``ValidationFailed``, ``Conflict``.
    """
    try:
        type_id = (await rooms.find(hotel, room_id)).room_type_id
        await room_types.lock(hotel, stay.room_type_id, type_id)
        room = await rooms.lock(hotel, room_id)
    except NotFound as error:
        raise ValidationFailed(room_id=[f"This hotel has no room {room_id}."]) from error
    if room.room_type_id != type_id:
        raise Conflict(f"Room {room.number} has just become one of another type. Try again.")
    must_be_usable(room)
    if room.room_type_id != stay.room_type_id:
        await _change_type(hotel, stay, room)
    if stay.status == StayStatus.CHECKED_IN:
        await must_be_empty(room, stay)
    await give_nights(hotel, stay, room)
    stay.room_id = room.id
    return room


async def give_nights(hotel: Hotel, stay: Stay, room: Room) -> None:
    """Take the room's nights for the stay, from today on. Raises ``Conflict``."""
    since = max(stay.check_in, hotel.today())
    await nights.give(room, stay.id, since, max(since, stay.check_out))


async def choose(hotel: Hotel, stay: Stay) -> int:
    """Find a room of the stay's type that is free and ready; the type is locked.

    Raises ``Conflict`` with the reason ``no_free_room``, or ``no_clean_room`` when one only needs to be cleaned.
    """
    await room_types.lock(hotel, stay.room_type_id)
    since = max(stay.check_in, hotel.today())
    found = await sql.fetch_one(CHOOSE, stay.room_type_id, stay.owner_id, since, stay.check_out, stay.id)
    if found is None:
        raise Conflict("No room of this type is free for these nights.", extras={"reason": "no_free_room"})
    if found["status"] not in READY:
        raise Conflict("Every free room of this type has yet to be cleaned.", extras={"reason": "no_clean_room"})
    return int(found["id"])


def must_be_usable(room: Room) -> None:
    """Raise ``Conflict`` for a room that is out of order or not in use."""
    if not room.is_active or room.status == Housekeeping.OUT_OF_ORDER:
        raise Conflict(f"Room {room.number} is out of order.", extras={"reason": "out_of_order"})


async def must_be_empty(room: Room, stay: Stay) -> None:
    """Raise ``Conflict`` while other guests are in the room."""
    if await sql.fetch_value(OCCUPIED, room.id, room.owner_id, stay.id):
        raise Conflict(f"Other guests are in room {room.number}.", extras={"reason": "room_occupied"})


async def soil(hotel: Hotel, room_id: int) -> None:
    """Mark a room that guests have left as one to be cleaned."""
    room = await rooms.lock(hotel, room_id)
    if room.status != Housekeeping.OUT_OF_ORDER:
        room.status = Housekeeping.DIRTY
        await room.save(update_fields=["status"])


async def save(stay: Stay) -> None:
    """Save a stay whose room may have been taken at this moment. Raises ``Conflict``."""
    try:
        await stay.save()
    except IntegrityError as error:
        cause = error.__cause__
        if isinstance(cause, asyncpg.UniqueViolationError) and cause.constraint_name == "hotel_stay_in_house":
            raise Conflict("Other guests are in this room.", extras={"reason": "room_occupied"}) from error
        raise


async def _take_away(hotel: Hotel, stay: Stay) -> None:
    if stay.status == StayStatus.CHECKED_IN:
        raise Conflict("The guests are in this room: name the one they move to.", extras={"reason": "room_occupied"})
    await nights.release(stay.id, hotel.owner_id)
    stay.room_id = None


async def _change_type(hotel: Hotel, stay: Stay, room: Room) -> None:
    """Count the stay as one of the room's type from now on. Raises ``Conflict`` when that is full."""
    since: date = max(stay.check_in, hotel.today())
    if since < stay.check_out:
        types = [await room_types.find(hotel, room.room_type_id)]
        wanted = Wanted(since, stay.check_out, 1, 0)
        (offer,) = await availability.offers(hotel, types, wanted, stay.id)
        if min(free for _, _, free in offer.nightly) < 1:
            raise Conflict(f"{types[0].name} is full on one of these nights.", extras={"reason": "sold_out"})
    stay.room_type_id = room.room_type_id
