"""The calendars of a room: created, changed, given another address, read now, and deleted."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, add_owner_prefix, clock, require_found
from comanda.contracts import Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.http_client import ForbiddenTarget, check_url, get_allowed_targets
from comanda.platform.tasks import notifier
from comanda.web import N_

from comanda_hotel.models import Room
from comanda_hotel.records.calendars import ReadFailure, RoomCalendar
from comanda_hotel.schemas.rooms import CalendarBody, CalendarChange
from comanda_hotel.services import hotels, rooms
from comanda_hotel.services.calendars import known_rooms, platform_calendars
from comanda_hotel.services.hotels import Hotel

MAX_CALENDARS: Final = 5
READ_PAUSE: Final = timedelta(minutes=1)
PATH: Final = "/room-calendars/{token}.ics"
READ_JUST_NOW: Final = N_("This calendar was read a moment ago. Try again shortly.")
NO_URL: Final = N_("Give the address of the platform's calendar first.")

SELECT_CALENDARS: Final = """
    SELECT c.id, c.room_id, c.name, c.token, c.url, c.created_at, c.tried_at, c.read_at, c.next_read_at, c.failure,
        c.unread_count, bookings.many AS bookings_count, bookings.in_conflict AS conflicts_count
    FROM hotel_room_calendar c
    CROSS JOIN LATERAL (
        SELECT count(*) AS many, count(*) FILTER (WHERE EXISTS (
            SELECT FROM generate_series(greatest(b.starts_on, $3), b.ends_on - 1, interval '1 day') AS wanted
            WHERE NOT EXISTS (
                SELECT FROM hotel_room_night n
                WHERE n.room_id = b.room_id AND n.owner_id = b.owner_id AND n.night = wanted::date
                  AND n.calendar_id = b.calendar_id))) AS in_conflict
        FROM hotel_foreign_booking b
        WHERE b.calendar_id = c.id AND b.owner_id = c.owner_id AND b.ends_on > $3) AS bookings
    WHERE c.room_id = $1 AND c.owner_id = $2 ORDER BY c.id
"""
COUNT_CALENDARS: Final = "SELECT count(*) FROM hotel_room_calendar WHERE room_id = $1 AND owner_id = $2"
INSERT_CALENDAR: Final = """
    INSERT INTO hotel_room_calendar (owner_id, room_id, name, token, url, created_at, next_read_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
"""
UPDATE_NAME: Final = """
    UPDATE hotel_room_calendar SET name = $4 WHERE id = $1 AND owner_id = $2 AND room_id = $3 RETURNING id
"""
RENEW_ADDRESS: Final = """
    UPDATE hotel_room_calendar SET token = $4 WHERE id = $1 AND owner_id = $2 AND room_id = $3 RETURNING id
"""
# What was read at another address is not what this one says.
UPDATE_URL: Final = """
    UPDATE hotel_room_calendar SET url = $4, next_read_at = $5, tried_at = NULL, read_at = NULL, failure = NULL,
        unread_count = 0
    WHERE id = $1 AND owner_id = $2 AND room_id = $3 AND url IS DISTINCT FROM $4 RETURNING id
"""
DELETE_BOOKINGS: Final = "DELETE FROM hotel_foreign_booking WHERE calendar_id = $1 AND owner_id = $2"
DELETE_NIGHTS: Final = "DELETE FROM hotel_room_night WHERE calendar_id = $1 AND owner_id = $2"
DELETE_CALENDAR: Final = """
    DELETE FROM hotel_room_calendar WHERE id = $1 AND owner_id = $2 AND room_id = $3 RETURNING id
"""
READ_NOW: Final = """
    UPDATE hotel_room_calendar SET next_read_at = $4
    WHERE id = $1 AND owner_id = $2 AND room_id = $3 AND url IS NOT NULL AND (tried_at IS NULL OR tried_at <= $5)
    RETURNING id
"""


async def list_calendars(caller: Caller, store_id: int, room_id: int) -> Sequence[RoomCalendar]:
    """List a room's calendars. Raises ``NotFound``."""
    hotel, room = await _find_room(caller, store_id, room_id)
    return [_to_calendar(row) for row in await sql.fetch(SELECT_CALENDARS, room.id, hotel.owner_id, hotel.today())]


async def get_calendar(caller: Caller, store_id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Return a calendar of a room. Raises ``NotFound``."""
    found = await list_calendars(caller, store_id, room_id)
    return require_found(next((each for each in found if each.id == calendar_id), None))


async def create_calendar(caller: Caller, store_id: int, room_id: int, body: CalendarBody) -> RoomCalendar:
    """Create a calendar, and have it read if it has a ``url``.

    Raises ``NotFound``; ``ValidationFailed`` for an address that cannot be read; ``Conflict`` beyond ``MAX_CALENDARS``.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    url, moment = _check_url(body.url), clock.now()
    async with sql.transaction():
        room = await rooms.lock_room(hotel, room_id)
        if await sql.fetch_value(COUNT_CALENDARS, room.id, hotel.owner_id) >= MAX_CALENDARS:
            raise Conflict(
                Sentence("A room has at most %(limit)s calendars.", limit=MAX_CALENDARS),
                extras={"limits": {"calendars": MAX_CALENDARS}},
            )
        values = (hotel.owner_id, room.id, body.name, _create_token(hotel.owner_id), url, moment)
        calendar_id = await sql.fetch_value(INSERT_CALENDAR, *values, url and moment)
        notifier.notify(platform_calendars.QUEUE_NAME)
    return await get_calendar(caller, store_id, room_id, calendar_id)


async def update_calendar(
    caller: Caller, store_id: int, room_id: int, calendar_id: int, body: CalendarChange
) -> RoomCalendar:
    """Update a calendar. What was read at another ``url`` is removed. Raises ``NotFound``, ``ValidationFailed``."""
    await get_calendar(caller, store_id, room_id, calendar_id)
    key = (calendar_id, caller.owner_id, room_id)
    url = _check_url(body.url)
    async with sql.transaction():
        if body.name is not None:
            await sql.fetch_value(UPDATE_NAME, *key, body.name)
        if "url" in body.model_fields_set and await sql.fetch_value(UPDATE_URL, *key, url, url and clock.now()):
            await sql.execute(DELETE_BOOKINGS, calendar_id, caller.owner_id)
            await sql.execute(DELETE_NIGHTS, calendar_id, caller.owner_id)
            notifier.notify(platform_calendars.QUEUE_NAME)
    return await get_calendar(caller, store_id, room_id, calendar_id)


@sql.transaction()
async def renew_address(caller: Caller, store_id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Give a calendar another address; the one before answers no more. Raises ``NotFound``."""
    await get_calendar(caller, store_id, room_id, calendar_id)
    await sql.fetch_value(RENEW_ADDRESS, calendar_id, caller.owner_id, room_id, _create_token(caller.owner_id))
    return await get_calendar(caller, store_id, room_id, calendar_id)


async def read_now(caller: Caller, store_id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Queue the reading of a calendar. Raises ``NotFound``; ``Conflict`` right after another reading."""
    calendar = await get_calendar(caller, store_id, room_id, calendar_id)
    if calendar.url is None:
        raise Conflict(NO_URL, extras={"reason": "no_url"})
    moment = clock.now()
    async with sql.transaction():
        key = (calendar_id, caller.owner_id, room_id)
        if await sql.fetch_value(READ_NOW, *key, moment, moment - READ_PAUSE) is None:
            raise Conflict(READ_JUST_NOW, extras={"reason": "read_just_now"})
        notifier.notify(platform_calendars.QUEUE_NAME)
    return await get_calendar(caller, store_id, room_id, calendar_id)


@sql.transaction()
async def delete_calendar(caller: Caller, store_id: int, room_id: int, calendar_id: int) -> None:
    """Delete a calendar and its bookings. Raises ``NotFound``."""
    _, room = await _find_room(caller, store_id, room_id)
    if await sql.fetch_value(DELETE_CALENDAR, calendar_id, caller.owner_id, room.id) is None:
        raise NotFound


async def _find_room(caller: Caller, store_id: int, room_id: int) -> tuple[Hotel, Room]:
    hotel = await hotels.get_hotel(caller, store_id)
    return hotel, await rooms.find_room(hotel, room_id)


def _check_url(url: str | None) -> str | None:
    if not url:
        return None
    try:
        return str(check_url(url.strip(), allowed=get_allowed_targets()).url)
    except ForbiddenTarget as error:
        raise ValidationFailed(url=[str(error)]) from error


def _create_token(owner_id: int) -> str:
    return add_owner_prefix(owner_id, secrets.token_urlsafe(known_rooms.SECRET_BYTES))


def _to_calendar(row: sql.Row) -> RoomCalendar:
    return sql.to_record(
        RoomCalendar,
        row,
        address=runtime.settings().site_url + PATH.format(token=row["token"]),
        failure=None if row["failure"] is None else ReadFailure(row["failure"]),
    )
