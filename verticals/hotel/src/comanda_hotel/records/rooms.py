"""Records of room types, their rates, rooms and blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.money import Money

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
    min_stay: int
    overbooking_allowance: int
    position: int
    is_active: bool
    rooms_count: int

    @property
    def currency(self) -> str:
        """The currency of the prices."""
        return self.base_price.currency


@dataclass(frozen=True, slots=True)
class RatePeriod:
    """Nights with the same price, both days inclusive."""

    first_night: date
    last_night: date
    price: Money


@dataclass(frozen=True, slots=True)
class RoomTypePrices:
    """The nightly prices of a room type: that of the night, else of its weekday, else ``base_price``."""

    room_type_id: int
    base_price: Money
    extra_adult_price: Money
    weekdays: Mapping[str, Money | None]
    nights: Sequence[RatePeriod]

    @property
    def currency(self) -> str:
        """The currency of the prices."""
        return self.base_price.currency


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
    """A room that is out of order for the nights from ``starts_on`` up to, but not including, ``ends_on``."""

    id: int
    room_id: int
    starts_on: date
    ends_on: date
    reason: str | None
    created_at: datetime
