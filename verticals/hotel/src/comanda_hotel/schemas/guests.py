"""Requests of guests on the pages of a hotel."""

from typing import Annotated

from comanda.contracts import Body, ClientKey, Email, Name, Text
from pydantic import BaseModel, Field

from comanda_hotel.schemas.dates import Day
from comanda_hotel.schemas.rooms import Adults, Children
from comanda_hotel.schemas.stays import Phone


class GuestStayBody(Body):
    """A stay that a guest books: the nights from ``check_in`` up to, but not including, ``check_out``."""

    check_in: Day
    check_out: Day
    adults: Adults = 1
    children: Children = 0
    guest_name: Name
    phone: Annotated[Phone, Field(min_length=3)]
    email: Email | None = None
    note: Text | None = None
    client_uuid: ClientKey


class GuestStayOut(BaseModel):
    """Where the page of a stay is."""

    url: str
