"""Requests about free and occupied rooms."""

from enum import StrEnum
from typing import Annotated

from comanda.contracts import Body, ShortText
from pydantic import Field

from comanda_hotel.schemas.dates import CalendarDay, Day
from comanda_hotel.schemas.rooms import MAX_PARTY


class Reason(StrEnum):
    """The reason why a room type cannot be booked."""

    OCCUPANCY = "occupancy"
    MIN_STAY = "min_stay"
    NO_ROOMS = "no_rooms"
    OUT_OF_ORDER = "out_of_order"
    SOLD_OUT = "sold_out"


class FreeRoomsQuery(Body):
    """A stay to search for: the nights from ``check_in`` up to, but not including, ``check_out``.

    ``check_in`` defaults to today, ``check_out`` to the day after ``check_in``. ``room_type`` is an id or a name.
    """

    check_in: Day | None = None
    check_out: Day | None = None
    adults: Annotated[int, Field(ge=1, le=MAX_PARTY)] = 1
    children: Annotated[int, Field(ge=0, le=MAX_PARTY)] = 0
    room_type: ShortText | None = None


class OccupancyQuery(Body):
    """The nights from ``from`` up to, but not including, ``to``: at most 92, by default 14 from today on."""

    from_: CalendarDay | None = Field(default=None, alias="from")
    to: CalendarDay | None = None
    room_type: Annotated[int, Field(ge=1, le=2**63 - 1)] | None = None
