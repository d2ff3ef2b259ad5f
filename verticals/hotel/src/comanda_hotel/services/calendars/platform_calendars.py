"""The calendars of other platforms, read a few at a time, each every quarter of an hour."""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog
from comanda.basics import clock
from comanda.contracts import ClaimedRow, LeasedQueue, QueueLimits, QueueTable, QueueWork
from comanda.platform.db import sql
from comanda.platform.http_client import DocumentClient, DocumentUnavailable, get_allowed_targets

from comanda_hotel.records.calendars import ReadFailure
from comanda_hotel.services.calendars import foreign_bookings, known_rooms
from comanda_hotel.services.calendars.ical_reader import NotACalendar, read_calendar
from comanda_hotel.services.calendars.known_rooms import KnownCalendar

log = structlog.get_logger(__name__)

QUEUE_NAME: Final = "hotel_calendars"
ACCEPT: Final = "text/calendar, */*;q=0.1"
MAX_BYTES: Final = 1024 * 1024
TIMEOUT_SECONDS: Final = 20.0
DEADLINE_SECONDS: Final = 40.0

POSTPONE: Final = "UPDATE hotel_room_calendar SET next_read_at = $3 WHERE id = $1 AND owner_id = $2 AND url IS NOT NULL"


async def read_from_platform(calendar: KnownCalendar) -> None:
    """Read a calendar and replace its bookings, or save why that is not possible."""
    moment = clock.now()
    try:
        content = await create_client().fetch_bytes(
            calendar.url or "", accept=ACCEPT, max_bytes=MAX_BYTES, timeout_seconds=TIMEOUT_SECONDS
        )
        # A megabyte takes a second, in which other requests go on.
        found = await asyncio.to_thread(read_calendar, content, calendar.hotel.zone)
        await foreign_bookings.replace_bookings(calendar, found, moment)
    except DocumentUnavailable as error:
        await _save_failure(calendar, ReadFailure.UNREACHABLE, str(error))
    except NotACalendar:
        await _save_failure(calendar, ReadFailure.NOT_A_CALENDAR)
    except foreign_bookings.TooManyBookings:
        await _save_failure(calendar, ReadFailure.TOO_MANY_BOOKINGS)


def create_client() -> DocumentClient:
    """Create the client that reads calendars; in development it reaches this machine too."""
    return DocumentClient(allowed=get_allowed_targets())


async def _save_failure(calendar: KnownCalendar, failure: ReadFailure, problem: str | None = None) -> None:
    # Everybody who has the address can read the calendar, so it is in no log.
    log.info("hotel_calendar_not_read", calendar_id=calendar.id, failure=failure, problem=problem)
    await foreign_bookings.save_failure(calendar, failure, clock.now())


async def _process(rows: Sequence[ClaimedRow]) -> None:
    for row in rows:
        calendar = await known_rooms.find_by_id(row.owner_id, row.id)
        if calendar is None or calendar.is_suspended:
            await sql.execute(POSTPONE, row.id, row.owner_id, clock.now() + foreign_bookings.READ_EVERY)
        else:
            await read_from_platform(calendar)


# Reading moves the due time in its own transaction, so that afterwards only the lease is left to end.
QUEUE: Final = LeasedQueue(
    QUEUE_NAME,
    QueueTable(
        "hotel_room_calendar",
        due="next_read_at",
        share_by="owner_id",
        done="leased_until = NULL, attempts = 0",
        stops_for_suspended=True,
    ),
    QueueWork(_process, QueueLimits(max_in_flight=8, max_per_share=2, deadline_seconds=DEADLINE_SECONDS)),
)
