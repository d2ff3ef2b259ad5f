"""Records of free rooms, their prices, and occupied rooms."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import StoreId
from pydantic import Field

from comanda_hotel.models import StayStatus
from comanda_hotel.records.rooms import Room
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


@dataclass(frozen=True, slots=True)
class OccupiedNights:
    """Nights of a room that a stay, a block or a calendar takes, from ``from`` up to, but not including, ``to``.

    A stay has a ``stay_id``, a ``guest_name`` and a ``status``; a block has a ``block_id`` and may have a ``reason``.
    What another platform sold has a ``calendar_id`` and the name of the ``calendar``.
    """

    starts_on: Annotated[date, Field(serialization_alias="from")]
    ends_on: Annotated[date, Field(serialization_alias="to")]
    stay_id: int | None
    guest_name: str | None
    status: StayStatus | None
    block_id: int | None
    reason: str | None
    calendar_id: int | None
    calendar: str | None


@dataclass(frozen=True, slots=True)
class RoomOccupancy(Room):
    """A room with the nights that are taken, in their order."""

    nights: Sequence[OccupiedNights]
