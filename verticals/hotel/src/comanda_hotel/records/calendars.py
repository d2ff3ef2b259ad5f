"""Records of the calendars of rooms, and of the bookings that are read from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field


class ReadFailure(StrEnum):
    """Why a calendar could not be read; what was read before stays."""

    UNREACHABLE = "unreachable"
    NOT_A_CALENDAR = "not_a_calendar"
    TOO_MANY_BOOKINGS = "too_many_bookings"


@dataclass(frozen=True, slots=True)
class RoomCalendar:
    """A platform that sells a room too.

    It reads what is taken at ``address``, which opens that to everybody who has it. Its own calendar is read at
    ``url``, next at ``next_read_at``, last with success at ``read_at``. ``failure`` is why the last attempt, at
    ``tried_at``, failed. ``unread_count`` events were not understood: of series only the first event counts.
    """

    id: int
    room_id: int
    name: str
    address: str
    url: str | None
    created_at: datetime
    tried_at: datetime | None
    read_at: datetime | None
    next_read_at: datetime | None
    failure: ReadFailure | None
    unread_count: int
    bookings_count: int
    conflicts_count: int


@dataclass(frozen=True, slots=True)
class ForeignBooking:
    """Nights that another platform sold, from ``from`` up to, but not including, ``to``.

    ``conflicts`` are those that were not free here any more.
    """

    id: int
    room_id: int
    room_number: str
    calendar_id: int
    calendar: str
    starts_on: Annotated[date, Field(serialization_alias="from")]
    ends_on: Annotated[date, Field(serialization_alias="to")]
    conflicts: Sequence[date]
    created_at: datetime
