"""Records of free rooms and their prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import StoreId
from pydantic import Field

from comanda_hotel.schemas.availability import Reason


@dataclass(frozen=True, slots=True)
class OfferedNight:
    """One night: its price for the whole party, and the number of free rooms of the type."""

    date: Annotated[date, Field(description="The day on which the night begins.")]
    price: Annotated[Money, Field(description="For the whole party, in the currency of the answer.")]
    available: Annotated[int, Field(description="Rooms of this type that are free that night.")]


@dataclass(frozen=True, slots=True)
class RoomTypeOffer:
    """A room type for the requested stay; ``available`` is 0 if there is a ``reason``."""

    room_type_id: int
    name: str
    description: str | None
    available: Annotated[int, Field(description="Rooms of this type that are free on every night of the stay.")]
    max_adults: int
    max_children: int
    min_stay: Annotated[int, Field(description="The minimum number of nights.")]
    nightly: Sequence[OfferedNight]
    total: Annotated[Money, Field(description="The total of all nights for the whole party.")]
    currency: str
    reason: Annotated[Reason | None, Field(description="Why no room is available; null if one is.")]


@dataclass(frozen=True, slots=True)
class RoomAvailability:
    """Availability for a stay by room type, in display order."""

    store_id: StoreId
    check_in: date
    check_out: date
    nights: int
    adults: int
    children: int
    currency: str
    room_types: Sequence[RoomTypeOffer]
