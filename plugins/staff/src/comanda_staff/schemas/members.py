"""Request and response bodies of members of staff."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Id, Name, ShortText, example
from comanda.contracts.wire import StoreId
from pydantic import BaseModel, Field

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


class MemberOut(BaseModel):
    """A member of staff. ``permissions`` are the role's, with ``grants`` and without ``denials``."""

    id: int
    restaurant_id: StoreId
    name: str
    email: str | None
    phone: str | None
    role: Role
    grants: list[Permission]
    denials: list[Permission]
    permissions: list[Permission]
    station_ids: list[int]
    is_active: bool
    has_password: bool
    has_pin: bool
    two_factor: bool
    last_login_at: datetime | None
    created_at: datetime


class MemberSaved(MemberOut):
    """A member after a change; ``warnings`` are sentences about accepted but poor values, such as a weak PIN."""

    warnings: list[str]


class TwoFactorReset(BaseModel):
    """Confirmation that two-factor is off."""

    two_factor: bool
