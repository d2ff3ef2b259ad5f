"""Schemas of shifts and locations."""

from typing import Annotated

from comanda.contracts import Body, Moment, Number
from pydantic import BaseModel, Field

from comanda_drivers.records.drivers import Duty


class LocationBody(Body):
    """The location of the driver in degrees; ``recorded_at`` defaults to now.

    ``accuracy`` is in metres, ``heading`` in degrees from north, ``speed`` in metres per second.
    """

    lat: Annotated[Number, Field(ge=-90, le=90)]
    lng: Annotated[Number, Field(ge=-180, le=180)]
    accuracy: Annotated[Number, Field(ge=0)] | None = None
    heading: Annotated[Number, Field(ge=0, le=360)] | None = None
    speed: Annotated[Number, Field(ge=0)] | None = None
    recorded_at: Moment | None = None


class Located(BaseModel):
    """Confirmation that the location was received, even if it was ignored."""

    ok: bool


class DutyBody(Body):
    """The shift status to set; toggled if omitted. ``force`` ends a shift with active deliveries."""

    status: Duty | None = None
    force: bool = False
