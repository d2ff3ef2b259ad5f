"""Requests and answers about availability."""

from datetime import date
from enum import StrEnum
from typing import Annotated

from comanda.contracts.fields import Body, ShortText
from comanda.contracts.wire import MoneyNumber, StoreId
from pydantic import BaseModel, Field

from comanda_hotel.schemas.dates import Day
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


class NightOut(BaseModel):
    """One night: its price for the whole party and the number of free rooms of the type."""

    date: Annotated[date, Field(description="The day on which the night begins.")]
    price: Annotated[MoneyNumber, Field(description="For the whole party, in the currency of the answer.")]
    available: Annotated[int, Field(description="Rooms of this type that are free that night.")]


class OfferOut(BaseModel):
    """A room type for the requested stay. ``available`` is 0 if there is a ``reason``."""

    room_type_id: int
    name: str
    description: str | None
    available: Annotated[int, Field(description="Rooms of this type that are free on every night of the stay.")]
    max_adults: int
    max_children: int
    min_stay: Annotated[int, Field(description="The minimum number of nights.")]
    nightly: list[NightOut]
    total: Annotated[MoneyNumber, Field(description="The total of all nights for the whole party.")]
    currency: str
    reason: Annotated[Reason | None, Field(description="Why no room is available; null if one is.")]


class AvailabilityOut(BaseModel):
    """Availability for a stay by room type, in display order."""

    restaurant_id: StoreId
    check_in: date
    check_out: date
    nights: int
    adults: int
    children: int
    currency: str
    room_types: list[OfferOut]
