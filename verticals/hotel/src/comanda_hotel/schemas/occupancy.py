"""Requests and answers about the occupancy of rooms."""

from datetime import date
from typing import Annotated

from comanda.contracts.fields import Body
from pydantic import BaseModel, Field

from comanda_hotel.models import StayStatus
from comanda_hotel.schemas.dates import CalendarDay
from comanda_hotel.schemas.rooms import RoomOut


class OccupancyQuery(Body):
    """The nights from ``from`` up to, but not including, ``to``: at most 92, by default 14 from today on."""

    from_: CalendarDay | None = Field(default=None, alias="from")
    to: CalendarDay | None = None
    room_type: Annotated[int, Field(ge=1, le=2**63 - 1)] | None = None


class OccupiedNightsOut(BaseModel):
    """Nights of a room that a stay or a block takes, from ``from`` up to, but not including, ``to``.

    A stay has a ``stay_id``, a ``guest_name`` and a ``status``; a block has a ``block_id`` and may have a ``reason``.
    """

    from_: Annotated[date, Field(validation_alias="starts_on", serialization_alias="from")]
    to: Annotated[date, Field(validation_alias="ends_on")]
    stay_id: int | None
    guest_name: str | None
    status: StayStatus | None
    block_id: int | None
    reason: str | None


class RoomOccupancyOut(RoomOut):
    """A room with the nights that are taken, in their order."""

    nights: list[OccupiedNightsOut]
