"""Requests about the occupancy of rooms."""

from typing import Annotated

from comanda.contracts import Body
from pydantic import Field

from comanda_hotel.schemas.dates import CalendarDay


class OccupancyQuery(Body):
    """The nights from ``from`` up to, but not including, ``to``: at most 92, by default 14 from today on."""

    from_: CalendarDay | None = Field(default=None, alias="from")
    to: CalendarDay | None = None
    room_type: Annotated[int, Field(ge=1, le=2**63 - 1)] | None = None
