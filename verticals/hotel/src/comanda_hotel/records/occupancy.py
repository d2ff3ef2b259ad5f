"""Records of the nights of rooms that are taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from comanda_hotel.models import StayStatus
from comanda_hotel.records.rooms import Room


@dataclass(frozen=True, slots=True)
class OccupiedNights:
    """Nights of a room that one stay or block takes, from ``starts_on`` up to, but not including, ``ends_on``."""

    starts_on: date
    ends_on: date
    stay_id: int | None
    guest_name: str | None
    status: StayStatus | None
    block_id: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class RoomOccupancy(Room):
    """A room with the nights that are taken, in their order."""

    nights: Sequence[OccupiedNights]
