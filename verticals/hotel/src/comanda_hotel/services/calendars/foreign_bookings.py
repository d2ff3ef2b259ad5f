"""Foreign bookings: the nights of a room that another platform sold, replaced as a whole each time it is read.

Nights that are free are taken under the lock that every sale of a room takes. One that a stay, a block or another
calendar has, or that is sold out, is not, and nobody's stay is cancelled: the booking is in conflict until its nights
become free, which every reading tries again.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_hotel.records.calendars import ForeignBooking, ReadFailure
from comanda_hotel.schemas.rooms import ForeignBookingQuery
from comanda_hotel.services import hotels, inventory, room_types, rooms
from comanda_hotel.services.calendars import known_rooms
from comanda_hotel.services.calendars.ical_reader import ForeignCalendar, ForeignEvent
from comanda_hotel.services.calendars.known_rooms import KnownCalendar

MAX_BOOKINGS: Final = 500
# Of all bookings together: a calendar whose events overlap again and again would make every count of rooms slow.
MAX_NIGHTS: Final = 3 * known_rooms.DAYS_AHEAD
READ_EVERY: Final = timedelta(minutes=15)

LOCK_CALENDAR: Final = """
    SELECT 1 FROM hotel_room_calendar WHERE id = $1 AND owner_id = $2 AND url = $3 FOR NO KEY UPDATE
"""
DELETE_OTHER_BOOKINGS: Final = """
    DELETE FROM hotel_foreign_booking WHERE calendar_id = $1 AND owner_id = $2 AND NOT uid_hash = ANY ($3::text[])
"""
SAVE_BOOKINGS: Final = """
    INSERT INTO hotel_foreign_booking (calendar_id, owner_id, room_id, uid_hash, starts_on, ends_on, created_at)
    SELECT $1, $2, $3, e.uid_hash, e.starts_on, e.ends_on, $4
    FROM unnest($5::text[], $6::date[], $7::date[]) AS e (uid_hash, starts_on, ends_on)
    ON CONFLICT (calendar_id, owner_id, uid_hash)
    DO UPDATE SET starts_on = excluded.starts_on, ends_on = excluded.ends_on
    WHERE (hotel_foreign_booking.starts_on, hotel_foreign_booking.ends_on) <> (excluded.starts_on, excluded.ends_on)
"""
# Nights that are over stay where they were.
DELETE_OTHER_NIGHTS: Final = """
    DELETE FROM hotel_room_night
    WHERE calendar_id = $1 AND owner_id = $2 AND night >= $3 AND NOT night = ANY ($4::date[])
"""
SELECT_OWN_NIGHTS: Final = "SELECT night FROM hotel_room_night WHERE calendar_id = $1 AND owner_id = $2"
INSERT_NIGHTS: Final = """
    INSERT INTO hotel_room_night (owner_id, room_id, calendar_id, night)
    SELECT $1, $2, $3, night FROM unnest($4::date[]) AS night ON CONFLICT DO NOTHING
"""
SAVE_SUCCESS: Final = """
    UPDATE hotel_room_calendar
    SET tried_at = $3, read_at = $3, failure = NULL, unread_count = $4, next_read_at = $5
    WHERE id = $1 AND owner_id = $2
"""
SAVE_FAILURE: Final = """
    UPDATE hotel_room_calendar SET tried_at = $4, failure = $5, next_read_at = $6
    WHERE id = $1 AND owner_id = $2 AND url = $3
"""

BOOKINGS: Final = """
    FROM hotel_foreign_booking b
    JOIN hotel_room_calendar c ON c.id = b.calendar_id AND c.owner_id = b.owner_id
    JOIN hotel_room r ON r.id = b.room_id AND r.owner_id = b.owner_id
    CROSS JOIN LATERAL (
        SELECT array_agg(wanted::date ORDER BY wanted) AS nights
        FROM generate_series(greatest(b.starts_on, $3), b.ends_on - 1, interval '1 day') AS wanted
        WHERE NOT EXISTS (
            SELECT FROM hotel_room_night n
            WHERE n.room_id = b.room_id AND n.owner_id = b.owner_id AND n.night = wanted::date
              AND n.calendar_id = b.calendar_id)) AS conflict
    WHERE r.store_id = $1 AND b.owner_id = $2 AND b.ends_on > $3
      AND ($4::bigint IS NULL OR b.room_id = $4) AND ($5::bigint IS NULL OR b.calendar_id = $5)
      AND ($6::boolean IS NULL OR (conflict.nights IS NOT NULL) = $6)
"""
SELECT_BOOKINGS: Final = f"""
    SELECT b.id, b.room_id, r.number, b.calendar_id, c.name, b.starts_on, b.ends_on, b.created_at, conflict.nights
    {BOOKINGS} ORDER BY b.starts_on, b.id LIMIT $7 OFFSET $8
"""
COUNT_BOOKINGS: Final = f"SELECT count(*) {BOOKINGS}"


class TooManyBookings(ValueError):
    """The calendar has more bookings, or more nights, than a room can have."""


async def list_foreign_bookings(
    caller: Caller, store_id: int, query: ForeignBookingQuery, page: PageRequest
) -> RecordPage[ForeignBooking]:
    """List the foreign bookings that are not over, the first night first, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    filters = (hotel.id, hotel.owner_id, hotel.today(), query.room, query.calendar, query.in_conflict)
    rows = await sql.fetch(SELECT_BOOKINGS, *filters, page.size(), page.offset())
    return page.of([_to_booking(row) for row in rows], await sql.fetch_value(COUNT_BOOKINGS, *filters))


async def replace_bookings(calendar: KnownCalendar, found: ForeignCalendar, moment: datetime) -> None:
    """Replace what is known of a calendar, and take the nights of its bookings that are free, in one transaction.

    Changes nothing if the calendar is read from elsewhere meanwhile. Raises ``TooManyBookings``.
    """
    events = _select_events(calendar, found.events)
    async with sql.transaction():
        if not await _lock_room_of(calendar):
            return
        key = (calendar.id, calendar.hotel.owner_id)
        await sql.execute(DELETE_OTHER_BOOKINGS, *key, [event.uid_hash for event in events])
        await sql.execute(
            SAVE_BOOKINGS,
            *key,
            calendar.room_id,
            moment,
            [event.uid_hash for event in events],
            [event.starts_on for event in events],
            [event.ends_on for event in events],
        )
        await _take_nights(calendar, events)
        await sql.execute(SAVE_SUCCESS, *key, moment, found.unread_count, moment + READ_EVERY)


async def save_failure(calendar: KnownCalendar, failure: ReadFailure, moment: datetime) -> None:
    """Save why a calendar could not be read. What is known of it stays."""
    key = (calendar.id, calendar.hotel.owner_id, calendar.url)
    await sql.execute(SAVE_FAILURE, *key, moment, failure, moment + READ_EVERY)


def _select_events(calendar: KnownCalendar, events: Sequence[ForeignEvent]) -> list[ForeignEvent]:
    """Return the events of nights that can be sold, cut where those end, without those that were read here."""
    today = calendar.hotel.today()
    until = today + timedelta(days=known_rooms.DAYS_AHEAD)
    prefix, suffix = known_rooms.get_uid_prefix(calendar.room_id), known_rooms.get_uid_suffix()
    selected = [
        replace(event, ends_on=min(event.ends_on, until))
        for event in events
        if event.ends_on > today and event.starts_on < until
        if not (event.uid.startswith(prefix) and event.uid.endswith(suffix))
    ]
    count_nights = sum((event.ends_on - max(event.starts_on, today)).days for event in selected)
    if len(selected) > MAX_BOOKINGS or count_nights > MAX_NIGHTS:
        raise TooManyBookings
    return selected


async def _lock_room_of(calendar: KnownCalendar) -> bool:
    """Lock the type, the room and the calendar, in this order; return False if they are not what they were."""
    try:
        await room_types.lock_room_types(calendar.hotel, calendar.room_type_id)
        room = await rooms.lock_room(calendar.hotel, calendar.room_id)
    except NotFound:
        return False
    held = await sql.fetch_value(LOCK_CALENDAR, calendar.id, calendar.hotel.owner_id, calendar.url)
    return held is not None and room.room_type_id == calendar.room_type_id


async def _take_nights(calendar: KnownCalendar, events: Sequence[ForeignEvent]) -> None:
    hotel, today = calendar.hotel, calendar.hotel.today()
    key = (calendar.id, hotel.owner_id)
    wanted = {night for event in events for night in _list_nights(event, today)}
    await sql.execute(DELETE_OTHER_NIGHTS, *key, today, sorted(wanted))
    missing = wanted - {row["night"] for row in await sql.fetch(SELECT_OWN_NIGHTS, *key)}
    if not missing:
        return
    room_type = await room_types.find_room_type(hotel, calendar.room_type_id)
    until = max(missing) + timedelta(days=1)
    counts = (await inventory.load_inventory(hotel, [room_type], min(missing), until, None))[room_type.id]
    # The counts include these bookings already.
    free = [night for night in sorted(missing) if not counts.is_oversold(night, room_type.overbooking_allowance)]
    await sql.execute(INSERT_NIGHTS, hotel.owner_id, calendar.room_id, calendar.id, free)


def _list_nights(event: ForeignEvent, today: date) -> list[date]:
    since = max(event.starts_on, today)
    return [since + timedelta(days=number) for number in range((event.ends_on - since).days)]


def _to_booking(row: sql.Row) -> ForeignBooking:
    return sql.to_record(
        ForeignBooking, row, room_number=row["number"], calendar=row["name"], conflicts=row["nights"] or ()
    )
