"""Logging in, and what drivers say of themselves."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.contracts.fields import Body, Id, Moment, Number, ShortText, example
from pydantic import BaseModel, Field

from comanda_drivers.schemas.drivers import DriverOut, PhoneText


class PhoneCodeRequest(Body):
    """Where to send a code: a phone number with its country's code."""

    phone: PhoneText


class PhoneCodeBody(Body):
    """A code, and the phone that it was sent to.

    Whoever is known to several owners says in ``owner`` for whom they drive now, and in ``driver_id`` which of several
    drivers of one owner they are.
    """

    model_config = example({"phone": "+351912345678", "code": "482913", "device": "Driver's phone"})

    phone: PhoneText
    code: Annotated[str, Field(max_length=20)]
    owner: Id | None = None
    driver_id: Id | None = None
    device: Annotated[ShortText, Field(max_length=100)] | None = None


class PhoneCodeSent(BaseModel):
    """What everybody hears who asks for a code; it is good for ``expires_in`` seconds."""

    sent: bool
    expires_in: int


class DriverLoggedIn(BaseModel):
    """A token for this phone, good until 30 days after its last use, and whose it is."""

    token: str
    driver: DriverOut


class DriverLoggedOut(BaseModel):
    """That the token is void."""

    message: str


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
