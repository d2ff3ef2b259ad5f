"""Records of room types, their rates, rooms and blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from comanda.basics import Money
from pydantic import Field

from comanda_hotel.models import Housekeeping


@dataclass(frozen=True, slots=True)
class RoomType:
    """A type of room that guests book.

    ``base_price`` is per night for up to ``base_adults``; each further adult adds ``extra_adult_price``.
    ``overbooking_allowance`` is the number of stays that may be sold per night beyond the number of rooms;
    ``rooms_count`` is the number of active rooms.
    """

    id: int
    name: str
    description: str | None
    max_adults: int
    max_children: int
    base_adults: int
    base_price: Money
    extra_adult_price: Money
    currency: str
    min_stay: int
    overbooking_allowance: int
    position: int
    is_active: bool
    rooms_count: int


@dataclass(frozen=True, slots=True)
class RatePeriod:
    """Nights with the same price, ``from`` and ``to`` inclusive."""

    first_night: Annotated[date, Field(serialization_alias="from")]
    last_night: Annotated[date, Field(serialization_alias="to")]
    price: Money


@dataclass(frozen=True, slots=True)
class RoomTypePrices:
    """Nightly rates: the price of the night, else of its weekday, else ``base_price``. Past nights are omitted."""

    room_type_id: int
    currency: str
    base_price: Money
    extra_adult_price: Money
    weekdays: Mapping[str, Money | None]
    nights: Sequence[RatePeriod]


@dataclass(frozen=True, slots=True)
class Room:
    """A room; ``stay_id`` is the stay that occupies it."""

    id: int
    number: str
    floor: str | None
    room_type_id: int
    room_type: str
    status: Housekeeping
    is_active: bool
    stay_id: int | None


@dataclass(frozen=True, slots=True)
class RoomBlock:
    """Nights on which a room is out of order; the last one is the night before ``to``."""

    id: int
    room_id: int
    starts_on: Annotated[date, Field(serialization_alias="from")]
    ends_on: Annotated[date, Field(serialization_alias="to")]
    reason: str | None
    created_at: datetime
