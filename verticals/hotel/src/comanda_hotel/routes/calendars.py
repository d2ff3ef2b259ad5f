"""Routes for the calendars of rooms, for the bookings that are read from them, and for the platforms that read."""

import hashlib
from collections.abc import Sequence
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import PUBLIC, Answer, Call, Caller, PageRequest, RecordPage, Routes
from comanda.platform.http import matches_etag

from comanda_hotel.records.calendars import ForeignBooking, RoomCalendar
from comanda_hotel.schemas.rooms import CalendarBody, CalendarChange, ForeignBookingQuery
from comanda_hotel.services.calendars import calendars, export, foreign_bookings, known_rooms

routes = Routes("Hotel")
platform_routes = Routes("Hotel pages", callers=PUBLIC, prefix="", is_documented=False)

CALENDARS = "/restaurants/{id}/rooms/{roomId}/calendars"
CALENDAR = f"{CALENDARS}/{{calendarId}}"
# Platforms read every hour or so; some do at every change of a listing.
READS_PER_MINUTE: Final = 20
UNKNOWN_PER_MINUTE: Final = 30
CACHE_CONTROL: Final = "private, max-age=60"


@routes.get(CALENDARS, scope="restaurants:read")
async def list_calendars(caller: Caller, id: int, room_id: int) -> Sequence[RoomCalendar]:
    """List the calendars of a room."""
    return await calendars.list_calendars(caller, id, room_id)


@routes.post(CALENDARS, scope="restaurants:write")
async def create_calendar(caller: Caller, id: int, room_id: int, body: CalendarBody) -> RoomCalendar:
    """Create a calendar of a room: an ``address`` for a platform, and the ``url`` of the platform's own calendar."""
    return await calendars.create_calendar(caller, id, room_id, body)


@routes.get(CALENDAR, scope="restaurants:read")
async def get_calendar(caller: Caller, id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Return a calendar of a room."""
    return await calendars.get_calendar(caller, id, room_id, calendar_id)


@routes.put(CALENDAR, scope="restaurants:write")
async def update_calendar(
    caller: Caller, id: int, room_id: int, calendar_id: int, body: CalendarChange
) -> RoomCalendar:
    """Update a calendar; another ``url`` removes what was read from the one before."""
    return await calendars.update_calendar(caller, id, room_id, calendar_id, body)


@routes.delete(CALENDAR, scope="restaurants:write")
async def delete_calendar(caller: Caller, id: int, room_id: int, calendar_id: int) -> None:
    """Delete a calendar. Its address answers no more, and the nights of its bookings are free again."""
    await calendars.delete_calendar(caller, id, room_id, calendar_id)


@routes.post(f"{CALENDAR}/address", scope="restaurants:write", status=200)
async def renew_address(caller: Caller, id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Give a calendar another address. The one before answers no more."""
    return await calendars.renew_address(caller, id, room_id, calendar_id)


@routes.post(f"{CALENDAR}/read", scope="restaurants:write", status=200)
async def read_now(caller: Caller, id: int, room_id: int, calendar_id: int) -> RoomCalendar:
    """Read the platform's calendar at once; 409 within a minute of the last time."""
    return await calendars.read_now(caller, id, room_id, calendar_id)


@routes.get("/restaurants/{id}/foreign-bookings", scope="orders:read")
async def list_foreign_bookings(
    caller: Caller, id: int, query: ForeignBookingQuery, page: PageRequest
) -> RecordPage[ForeignBooking]:
    """List what other platforms sold, 20 per page; filter by ``room``, ``calendar`` and ``in_conflict``."""
    return await foreign_bookings.list_foreign_bookings(caller, id, query, page)


@platform_routes.get(calendars.PATH)
async def read_calendar(call: Call, token: str) -> Answer:
    """Return the nights of a room that are taken, as iCalendar."""
    try:
        calendar = await known_rooms.find_by_token(token)
    except NotFound:
        await call.count(f"room-calendars:unknown:{call.client_network}", UNKNOWN_PER_MINUTE)
        raise
    await call.count(f"room-calendars:{calendar.id}", READS_PER_MINUTE, is_exact=False)
    content = await export.render_calendar(calendar)
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"', "Cache-Control": CACHE_CONTROL}
    if matches_etag(headers["ETag"], call.headers.get("if-none-match", "")):
        return Answer(status=304, headers=headers)
    return Answer(content, headers=headers, content_type="text/calendar; charset=utf-8")
