"""Shifts and locations of drivers on the wire."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.http.wire import Body, Moment, Number
from pydantic import BaseModel, Field


class LocationBody(Body):
    """Where the driver is, in degrees; ``recorded_at`` is now if left out.

    ``accuracy`` is in metres, ``heading`` in degrees from north, ``speed`` in metres per second.
    """

    lat: Annotated[Number, Field(ge=-90, le=90)]
    lng: Annotated[Number, Field(ge=-180, le=180)]
    accuracy: Annotated[Number, Field(ge=0)] | None = None
    heading: Annotated[Number, Field(ge=0, le=360)] | None = None
    speed: Annotated[Number, Field(ge=0)] | None = None
    recorded_at: Moment | None = None


class Located(BaseModel):
    """That the point has arrived, whether or not it was one to keep."""

    ok: bool


class Duty(StrEnum):
    """Whether a driver is on shift."""

    ON = "on"
    OFF = "off"


class DutyBody(Body):
    """The shift to be in, the other one if left out. ``force`` ends it with deliveries still to bring."""

    status: Duty | None = None
    force: bool = False


class DutyOut(BaseModel):
    """Whether the driver is on shift, and since when that is so."""

    status: Duty
    is_on_shift: bool
    changed_at: datetime | None
