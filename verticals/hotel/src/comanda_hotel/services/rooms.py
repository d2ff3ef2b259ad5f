"""Rooms and their housekeeping status."""

from datetime import timedelta

import asyncpg
from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import get_constraint_name, sql
from tortoise.exceptions import IntegrityError

from comanda_hotel import models
from comanda_hotel.models import Housekeeping, RoomType, Stay, StayStatus
from comanda_hotel.records.rooms import Room
from comanda_hotel.schemas.rooms import RoomBody, RoomChange, RoomQuery
from comanda_hotel.services import hotels, inventory, room_types
from comanda_hotel.services.hotels import MAX_DAYS_AHEAD, Hotel

# No stay ends later: it begins within the booking horizon and lasts a year at most.
MAX_STAY_END = timedelta(days=MAX_DAYS_AHEAD + 366)

# A room may change its type or become inactive only while it is not assigned to an open stay.
SELECT_STAY_WITH_ROOM = """
    SELECT 1 FROM hotel_stay WHERE room_id = $1 AND owner_id = $2 AND status IN ('optional', 'confirmed', 'checked_in')
    LIMIT 1
"""
SELECT_CALENDAR_NIGHT = """
    SELECT 1 FROM hotel_room_night WHERE room_id = $1 AND owner_id = $2 AND night >= $3 AND calendar_id IS NOT NULL
    LIMIT 1
"""
SELECT_ROOMS = """
    SELECT r.id, r.number, r.floor, r.room_type_id, t.name AS room_type, r.status, r.is_active, s.id AS stay_id
    FROM hotel_room r
    JOIN hotel_room_type t ON t.id = r.room_type_id AND t.owner_id = r.owner_id
    LEFT JOIN hotel_stay s ON s.room_id = r.id AND s.owner_id = r.owner_id AND s.status = 'checked_in'
    WHERE r.store_id = $1 AND r.owner_id = $2
      AND ($3::text IS NULL OR r.status = $3) AND ($4::bigint IS NULL OR r.room_type_id = $4)
      AND ($5::bigint IS NULL OR r.id = $5)
    ORDER BY length(r.number), r.number LIMIT $6 OFFSET $7
"""
COUNT_ROOMS = """
    SELECT count(*) FROM hotel_room WHERE store_id = $1 AND owner_id = $2
      AND ($3::text IS NULL OR status = $3) AND ($4::bigint IS NULL OR room_type_id = $4)
"""


async def list_rooms(caller: Caller, store_id: int, query: RoomQuery, page: PageRequest) -> RecordPage[Room]:
    """List a hotel's rooms by number, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    filters = (hotel.id, hotel.owner_id, query.status, query.room_type)
    rows = await sql.fetch(SELECT_ROOMS, *filters, None, page.size(), page.offset())
    return page.of([_to_room(row) for row in rows], await sql.fetch_value(COUNT_ROOMS, *filters))


async def get_room(caller: Caller, store_id: int, room_id: int) -> Room:
    """Return a room. Raises ``NotFound``."""
    return await _get_room(await hotels.get_hotel(caller, store_id), room_id)


async def create_room(caller: Caller, store_id: int, body: RoomBody) -> Room:
    """Create a room. Raises ``ValidationFailed`` for a number in use or an unknown room type."""
    hotel = await hotels.get_hotel(caller, store_id)
    try:
        async with sql.transaction():
            await _lock_room_types(hotel, body.room_type_id)
            made = await models.Room.create(
                owner_id=hotel.owner_id, store_id=hotel.id, **{**body.model_dump(), "floor": body.floor or None}
            )
    except IntegrityError as error:
        raise _to_number_error(error, body.number) from error
    return await _get_room(hotel, made.id)


async def update_room(caller: Caller, store_id: int, room_id: int, body: RoomChange) -> Room:
    """Update a room. Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` while a stay needs it."""
    hotel = await hotels.get_hotel(caller, store_id)
    columns = {name: value for name, value in body.model_dump(exclude_unset=True).items() if value is not None}
    if "floor" in body.model_fields_set:
        columns["floor"] = body.floor or None
    try:
        async with sql.transaction():
            # Room types are locked before rooms; a concurrent change of this room shows after that.
            before = await find_room(hotel, room_id)
            types = await _lock_room_types(hotel, before.room_type_id, columns.get("room_type_id", before.room_type_id))
            room = await lock_room(hotel, room_id)
            if _leaves_inventory(room, body):
                await _check_is_spare(hotel, room, types)
            if columns:
                room.update_from_dict(columns)
                await room.save(update_fields=list(columns))
    except IntegrityError as error:
        raise _to_number_error(error, body.number) from error
    return await _get_room(hotel, room_id)


async def update_room_status(caller: Caller, store_id: int, room_id: int, status: Housekeeping) -> Room:
    """Update the housekeeping status. Raises ``NotFound``; ``Conflict`` for ``out_of_order`` while it is occupied."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        room = await lock_room(hotel, room_id)
        if status is Housekeeping.OUT_OF_ORDER and await Stay.exists(
            room_id=room.id, owner_id=hotel.owner_id, status=StayStatus.CHECKED_IN
        ):
            raise Conflict(Sentence("Guests are in this room. Move them first."), extras={"reason": "room_occupied"})
        room.status = status
        await room.save(update_fields=["status"])
    return await _get_room(hotel, room_id)


async def delete_room(caller: Caller, store_id: int, room_id: int) -> None:
    """Delete a room and its blocks. Raises ``Conflict`` if it was ever assigned to a stay, or a stay needs it."""
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        types = await _lock_room_types(hotel, (await find_room(hotel, room_id)).room_type_id)
        room = await lock_room(hotel, room_id)
        if await Stay.exists(room_id=room.id, owner_id=hotel.owner_id):
            raise Conflict(
                "This room was assigned to stays. Set is_active to false instead.", extras={"reason": "has_stays"}
            )
        if room.is_active:
            await _check_is_spare(hotel, room, types)
        await room.delete()


async def find_room(hotel: Hotel, room_id: int) -> models.Room:
    """Return a room of the hotel. Raises ``NotFound``."""
    return require_found(await models.Room.get_or_none(id=room_id, store_id=hotel.id, owner_id=hotel.owner_id))


async def lock_room(hotel: Hotel, room_id: int) -> models.Room:
    """Return a room of the hotel, locked until the open transaction ends. Raises ``NotFound``."""
    mine = models.Room.select_for_update(no_key=True).filter(id=room_id, store_id=hotel.id, owner_id=hotel.owner_id)
    return require_found(await mine.first())


def _leaves_inventory(room: models.Room, body: RoomChange) -> bool:
    moves = body.room_type_id is not None and body.room_type_id != room.room_type_id
    return moves or (room.is_active and body.is_active is False)


async def _check_is_spare(hotel: Hotel, room: models.Room, types: list[RoomType]) -> None:
    """Raise ``Conflict`` unless every booked stay has a room without this one."""
    if await sql.fetch_value(SELECT_STAY_WITH_ROOM, room.id, room.owner_id):
        raise Conflict(
            Sentence("This room is assigned to a stay. Assign another room first."), extras={"reason": "room_taken"}
        )
    room_type = next((each for each in types if each.id == room.room_type_id), None)
    if room_type is None:
        raise Conflict(
            Sentence("Room %(number)s has just been moved to another room type. Try again.", number=room.number)
        )
    if not room.is_active:
        return
    today = hotel.today()
    if await sql.fetch_value(SELECT_CALENDAR_NIGHT, room.id, room.owner_id, today):
        raise Conflict(
            Sentence("Another platform has sold this room. Remove its calendar first."), extras={"reason": "room_taken"}
        )
    counts = (await inventory.load_inventory(hotel, [room_type], today, today + MAX_STAY_END, None))[room_type.id]
    most = counts.rooms - 1 + room_type.overbooking_allowance
    full = [night for night, sold in counts.stays_on.items() if sold > most]
    if full:
        raise Conflict(
            Sentence("%(name)s is sold out on %(day)s, so it needs this room.", name=room_type.name, day=min(full)),
            extras={"reason": "sold_out"},
        )


async def _lock_room_types(hotel: Hotel, *type_ids: int) -> list[RoomType]:
    try:
        return await room_types.lock_room_types(hotel, *type_ids)
    except NotFound as error:
        raise ValidationFailed(room_type_id=[f"This hotel has no room type {type_ids[-1]}."]) from error


async def _get_room(hotel: Hotel, room_id: int) -> Room:
    rows = await sql.fetch(SELECT_ROOMS, hotel.id, hotel.owner_id, None, None, room_id, 1, 0)
    if not rows:
        raise NotFound
    return _to_room(rows[0])


def _to_room(row: sql.Row) -> Room:
    return sql.to_record(Room, row, status=Housekeeping(row["status"]))


def _to_number_error(error: IntegrityError, number: str | None) -> Exception:
    cause = error.__cause__
    if isinstance(cause, asyncpg.UniqueViolationError) and get_constraint_name(cause) == "hotel_room_number":
        return ValidationFailed(number=[Sentence("This hotel already has a room %(number)s.", number=number)])
    return error
