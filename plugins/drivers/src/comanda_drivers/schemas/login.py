"""Schemas of the login of drivers."""

from typing import Annotated

from comanda.contracts import Body, Id, ShortText, example
from pydantic import BaseModel, Field

from comanda_drivers.schemas.drivers import DriverOut, PhoneText

Country = Annotated[str, Field(pattern="^[A-Z]{2}$")]


class PhoneCodeRequest(Body):
    """The phone number to send a code to; without a country code it is one of ``country``."""

    phone: PhoneText
    country: Country | None = None


class PhoneCodeBody(Body):
    """A code, and the phone that it was sent to, as it was requested.

    ``owner`` selects one of several owners that the phone drives for, ``driver_id`` one of several drivers.
    """

    model_config = example({"phone": "+351912345678", "code": "482913", "device": "Driver's phone"})

    phone: PhoneText
    country: Country | None = None
    code: Annotated[str, Field(max_length=20)]
    owner: Id | None = None
    driver_id: Id | None = None
    device: Annotated[ShortText, Field(max_length=100)] | None = None


class PhoneCodeSent(BaseModel):
    """The answer to every request for a code, which is valid for ``expires_in`` seconds."""

    sent: bool
    expires_in: int


class DriverChoice(BaseModel):
    """One of several drivers with the same phone, as an error lists them."""

    owner: int
    owner_name: str
    driver_id: int
    name: str
    restaurant_id: int | None


class DriverLoggedIn(BaseModel):
    """A token that expires 30 days after its last use, and its driver."""

    token: str
    driver: DriverOut


class DriverLoggedOut(BaseModel):
    """Confirmation that the token is revoked."""

    message: str
