"""Records of free rooms and their prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from comanda.money import Money

from comanda_hotel.schemas.availability import Reason


@dataclass(frozen=True, slots=True)
class OfferedNight:
    """One night: its price for the whole party, and the number of free rooms of the type."""

    date: date
    price: Money
    available: int


@dataclass(frozen=True, slots=True)
class RoomTypeOffer:
    """A room type for the requested stay; ``available`` is 0 if there is a ``reason``."""

    room_type_id: int
    name: str
    description: str | None
    available: int
    max_adults: int
    max_children: int
    min_stay: int
    nightly: Sequence[OfferedNight]
    total: Money
    reason: Reason | None

    @property
    def currency(self) -> str:
        """The currency of the prices."""
        return self.total.currency


@dataclass(frozen=True, slots=True)
class Availability:
    """The offers for a stay by room type, in display order."""

    store_id: int
    check_in: date
    check_out: date
    adults: int
    children: int
    currency: str
    room_types: Sequence[RoomTypeOffer]

    @property
    def nights(self) -> int:
        """The number of nights."""
        return (self.check_out - self.check_in).days
