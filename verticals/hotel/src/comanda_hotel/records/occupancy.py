"""Records of the nights of rooms that are taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from comanda_hotel.models import StayStatus
from comanda_hotel.records.rooms import Room


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
