"""Request bodies and queries, and answers that have another form than every record."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts import MAX_ID, Body, ShortText, example
from comanda_staff.api import CodeText, DeviceIdentifier, EmailText, Password
from pydantic import BaseModel, Field

from comanda_mobile.records import AppStore, AppUser, Platform

MAX_AGENT_LENGTH = 1000
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


class AppLoggedIn(BaseModel):
    """An access token, the person it belongs to, and their stores: the newest 100 of ``stores_count``."""

    token: str
    expires_at: datetime
    user: AppUser
    stores: Sequence[AppStore]
    stores_count: int


class AppLoggedOut(BaseModel):
    """Confirmation that the token was revoked, with the web sessions that it opened."""

    message: str


class ConfigurationQuery(BaseModel):
    """The platform of the app; without it, the versions that hold in general."""

    platform: Platform | None = None


class SessionBody(Body):
    """The path that the web view continues with, and its user agent if that is not the one of this request."""

    model_config = example({"path": "/app/home", "user_agent": "Comanda/1.4 Hotwire Native iOS; Turbo Native iOS"})

    path: str | None = None
    user_agent: Annotated[ShortText, Field(max_length=MAX_AGENT_LENGTH)] | None = None
