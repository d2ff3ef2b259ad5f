"""The calendar of a room that other platforms read: the nights on which they must not sell it.

A night is taken by a stay, a block or another calendar that has the room. Stays that have no room yet take one of
their type: of the rooms that nothing has, only as many are shown as free as are left to sell, those with the first
numbers. What came from the calendar itself is left out.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from comanda.platform.db import sql

from comanda_hotel.models import Housekeeping
from comanda_hotel.services import inventory, room_types
from comanda_hotel.services.calendars import known_rooms
from comanda_hotel.services.calendars.ical_writer import TakenNights, write_calendar
from comanda_hotel.services.calendars.known_rooms import KnownCalendar

# What takes a room begins at most so long before its last night, so what still runs is listed from its beginning.
DAYS_BACK: Final = timedelta(days=366)
SOLD_OUT: Final = "sold-out"
CLOSED: Final = "closed"

SELECT_NIGHTS: Final = """
    SELECT night, stay_id, block_id, calendar_id FROM hotel_room_night
    WHERE room_id = $1 AND owner_id = $2 AND night >= $3 AND night < $4 ORDER BY night
"""
# Of the rooms of a type that come before a room: how many there are (null), and how many are taken, by night.
SELECT_ROOMS_BEFORE: Final = """
    WITH before AS (
        SELECT id, owner_id FROM hotel_room
        WHERE room_type_id = $1 AND owner_id = $2 AND is_active AND status <> 'out_of_order'
          AND (length(number), number) < (length($3), $3))
    SELECT NULL::date AS night, count(*) AS many FROM before
  UNION ALL
    SELECT n.night, count(*) FROM before b JOIN hotel_room_night n ON n.room_id = b.id AND n.owner_id = b.owner_id
    WHERE n.night >= $4 AND n.night < $5 GROUP BY 1
"""


async def render_calendar(calendar: KnownCalendar) -> bytes:
    """Return the file that a platform reads."""
    today = calendar.hotel.today()
    until = today + timedelta(days=known_rooms.DAYS_AHEAD)
    if not calendar.is_room_active or calendar.room_status == Housekeeping.OUT_OF_ORDER:
        taken = [_to_taken(calendar, CLOSED, today, until, since=None)]
    else:
        reasons = await _list_reasons(calendar, today, until)
        taken = [each for each in _list_runs(calendar, reasons) if each.ends_on > today]
    return write_calendar(calendar.room_number, taken, calendar.created_at)


async def _list_reasons(calendar: KnownCalendar, today: date, until: date) -> Mapping[date, str]:
    """Return why the room cannot be sold, by night."""
    hotel = calendar.hotel
    rows = await sql.fetch(SELECT_NIGHTS, calendar.room_id, hotel.owner_id, today - DAYS_BACK, until)
    own = {row["night"] for row in rows if row["calendar_id"] == calendar.id}
    reasons = {row["night"]: _get_reason(row) for row in rows if row["night"] not in own}
    free, before = await _count_free(calendar, today, until)
    for number in range((until - today).days):
        night = today + timedelta(days=number)
        if night not in reasons and night not in own and free(night) <= before(night):
            reasons[night] = SOLD_OUT
    return reasons


async def _count_free(
    calendar: KnownCalendar, today: date, until: date
) -> tuple[Callable[[date], int], Callable[[date], int]]:
    """Return the number of rooms of the type that are left to sell, and of those before this room that nothing has."""
    hotel = calendar.hotel
    room_type = await room_types.find_room_type(hotel, calendar.room_type_id)
    counts = (await inventory.load_inventory(hotel, [room_type], today, until, None))[room_type.id]
    found = await sql.fetch(SELECT_ROOMS_BEFORE, room_type.id, hotel.owner_id, calendar.room_number, today, until)
    taken = {row["night"]: row["many"] for row in found}
    rooms_before = taken.pop(None)
    # What may be sold beyond the number of rooms is not offered to others.
    return (lambda night: counts.count_free(night, 0)), (lambda night: rooms_before - taken.get(night, 0))


def _get_reason(row: sql.Row) -> str:
    for kind in ("stay", "block", "calendar"):
        if row[f"{kind}_id"] is not None:
            return f"{kind}{row[f'{kind}_id']}"
    raise ValueError("a night that nothing takes")


def _list_runs(calendar: KnownCalendar, reasons: Mapping[date, str]) -> Iterator[TakenNights]:
    """Yield consecutive nights that one reason takes."""
    numbered = enumerate(sorted(reasons.items()))
    for (_, reason), members in groupby(numbered, lambda each: (each[1][0].toordinal() - each[0], each[1][1])):
        nights = [night for _, (night, _) in members]
        yield _to_taken(calendar, reason, nights[0], nights[-1] + timedelta(days=1), since=nights[0])


def _to_taken(calendar: KnownCalendar, reason: str, starts_on: date, ends_on: date, since: date | None) -> TakenNights:
    # The hash says nothing of how many stays there are; that of a room that is closed is the same every day.
    hashed = hashlib.sha256(f"{calendar.room_id}:{reason}:{since}".encode()).hexdigest()[:24]
    uid = f"{known_rooms.get_uid_prefix(calendar.room_id)}{hashed}{known_rooms.get_uid_suffix()}"
    return TakenNights(uid, starts_on, ends_on)
