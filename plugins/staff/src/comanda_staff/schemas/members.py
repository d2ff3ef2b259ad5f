"""Request bodies of members of staff."""

from typing import Annotated

from comanda.contracts import Body, Id, Name, ShortText, example
from pydantic import Field

from comanda_staff.models import Permission, Role
from comanda_staff.schemas.fields import Email, Password, Pin

Phone = Annotated[ShortText, Field(max_length=50)]
Permissions = Annotated[list[Permission], Field(max_length=len(Permission))]
Stations = Annotated[list[Id], Field(max_length=50)]


class MemberBody(Body):
    """A new member of staff, who logs in by ``email`` and ``password``, by ``pin``, or by either."""

    model_config = example({"name": "Marta Reis", "role": "cashier", "pin": "4829"})

    name: Name
    role: Role
    email: Email | None = None
    phone: Phone | None = None
    password: Password | None = None
    pin: Pin | None = None
    grants: Permissions = []
    denials: Permissions = []
    station_ids: Stations = []
    is_active: bool = True


class MemberChange(Body):
    """Fields to update; fields left out are unchanged, null clears a phone, a PIN, or an e-mail with its password."""

    model_config = example({"role": "manager"})

    name: Name | None = None
    role: Role | None = None
    email: Email | None = None
    phone: Phone | None = None
    password: Password | None = None
    pin: Pin | None = None
    grants: Permissions | None = None
    denials: Permissions | None = None
    station_ids: Stations | None = None
    is_active: bool | None = None
