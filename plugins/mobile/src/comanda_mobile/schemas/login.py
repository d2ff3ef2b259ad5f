"""Request and response bodies of login, the person and push devices."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, example
from comanda.contracts.numbers import MAX_ID
from comanda_staff.api import CodeText, DeviceIdentifier, EmailText, Password
from pydantic import BaseModel, Field

Id = Annotated[int, Field(ge=1, le=MAX_ID)]


class AppLoginBody(Body):
    """An owner's or a staff member's e-mail and password; with two-factor on, also ``otp`` or a ``recovery_code``.

    ``device`` names this device; an app generates it once, from random characters, and sends it each time. Without
    hints the owner's account comes first, then that of staff. ``account`` restricts the login to one of them,
    ``restaurant_id`` and ``owner`` to staff of a store or of an owner.
    """

    model_config = example({"email": "ada@example.com", "password": "correct horse battery", "device": "Ada's phone"})

    email: EmailText
    password: Password
    device: DeviceIdentifier | None = None
    account: Literal["owner", "staff"] | None = None
    restaurant_id: Id | None = None
    owner: Id | None = None
    otp: CodeText | None = None
    recovery_code: CodeText | None = None


class UserOut(BaseModel):
    """The person who is logged in; ``role`` and ``permissions`` are those of staff."""

    id: int
    account: Literal["owner", "staff"]
    name: str
    email: str | None
    role: str | None
    permissions: list[str] | None


class AppStoreOut(BaseModel):
    """A store of the person; ``path`` is that of its public page."""

    id: int
    title: str
    slug: str
    store_type: str
    path: str


class AppLoggedIn(BaseModel):
    """An access token, the person it belongs to, and their stores: the newest 100 of ``stores_count``."""

    token: str
    expires_at: datetime
    user: UserOut
    stores: list[AppStoreOut]
    stores_count: int


class AppMe(BaseModel):
    """The person who is logged in, and their stores: the newest 100 of ``stores_count``."""

    user: UserOut
    stores: list[AppStoreOut]
    stores_count: int
    token_expires_at: datetime | None


class AppLoggedOut(BaseModel):
    """Confirmation that the token was revoked, with the web sessions that it opened."""

    message: str
