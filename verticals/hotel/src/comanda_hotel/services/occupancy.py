"""The occupancy of rooms: which nights of each room are taken, and by which stay, block or calendar."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date, timedelta
from itertools import groupby

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import read_from_replica, sql

from comanda_hotel.models import StayStatus
from comanda_hotel.records.availability import OccupiedNights, RoomOccupancy
from comanda_hotel.records.rooms import Room
from comanda_hotel.schemas.availability import OccupancyQuery
from comanda_hotel.schemas.rooms import RoomQuery
from comanda_hotel.services import hotels, rooms
from comanda_hotel.services.hotels import Hotel

DEFAULT_NIGHTS = timedelta(days=14)
MAX_NIGHTS = timedelta(days=92)

# Consecutive nights of a room with the same stay, block or calendar differ from their number by the same day. Nights
# are read from the rooms that guests had, so a stay whose guests have moved takes nights of several rooms.
SELECT_OCCUPIED_NIGHTS = """
    SELECT n.room_id, min(n.night) AS starts_on, max(n.night) + 1 AS ends_on, n.stay_id, n.block_id,
        n.calendar_id, s.guest_name, s.status, b.reason, c.name AS calendar
    FROM (
        SELECT room_id, owner_id, stay_id, block_id, calendar_id, night,
            night - (row_number() OVER (PARTITION BY room_id, stay_id, block_id, calendar_id ORDER BY night))::int
                AS run
        FROM hotel_room_night
        WHERE room_id = ANY ($1) AND owner_id = $2 AND night >= $3 AND night < $4
    ) AS n
    LEFT JOIN hotel_stay s ON s.id = n.stay_id AND s.owner_id = n.owner_id
    LEFT JOIN hotel_room_block b ON b.id = n.block_id AND b.owner_id = n.owner_id
    LEFT JOIN hotel_room_calendar c ON c.id = n.calendar_id AND c.owner_id = n.owner_id
    GROUP BY n.room_id, n.stay_id, n.block_id, n.calendar_id, n.run, s.guest_name, s.status, b.reason, c.name
    ORDER BY n.room_id, starts_on
"""


@read_from_replica
async def list_occupancy(
    caller: Caller, store_id: int, query: OccupancyQuery, page: PageRequest
) -> RecordPage[RoomOccupancy]:
    """List a hotel's rooms by number, 20 per page, with the nights that are taken.

    Raises ``NotFound``; ``ValidationFailed`` for too many nights.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    since, until = _get_nights(hotel, query)
    found = await rooms.list_rooms(caller, store_id, RoomQuery(room_type=query.room_type), page)
    nights = await _list_occupied_nights(hotel, [room.id for room in found.data], since, until)
    return found.convert(lambda room: _to_occupancy(room, nights.get(room.id, ())))


def _get_nights(hotel: Hotel, query: OccupancyQuery) -> tuple[date, date]:
    since = query.from_ or hotel.today()
    until = query.to or since + DEFAULT_NIGHTS
    if until <= since:
        raise ValidationFailed(to=[Sentence("Must be after the first night.")])
    if until - since > MAX_NIGHTS:
        raise ValidationFailed(to=[Sentence("At most %(days)s nights can be listed at a time.", days=MAX_NIGHTS.days)])
    return since, until


async def _list_occupied_nights(
    hotel: Hotel, room_ids: Sequence[int], since: date, until: date
) -> Mapping[int, Sequence[OccupiedNights]]:
    """Return the nights that are taken, by room."""
    rows = await sql.fetch(SELECT_OCCUPIED_NIGHTS, room_ids, hotel.owner_id, since, until)
    return {
        room_id: [_to_nights(row) for row in members] for room_id, members in groupby(rows, lambda row: row["room_id"])
    }


def _to_nights(row: sql.Row) -> OccupiedNights:
    return sql.to_record(OccupiedNights, row, status=None if row["status"] is None else StayStatus(row["status"]))


def _to_occupancy(room: Room, nights: Sequence[OccupiedNights]) -> RoomOccupancy:
    return RoomOccupancy(**{field.name: getattr(room, field.name) for field in fields(room)}, nights=nights)
