"""Logging in, and what drivers say of themselves."""

from typing import Annotated

from comanda.http.examples import example
from comanda.http.wire import Body, Id, ShortText
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
