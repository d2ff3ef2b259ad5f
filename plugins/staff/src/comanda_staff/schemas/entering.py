"""Logging in, and what a member of staff knows of themselves."""

from datetime import datetime

from comanda.contracts.fields import Body, example
from pydantic import BaseModel

from comanda_staff.api import Permission
from comanda_staff.models import Role
from comanda_staff.schemas.wire import CodeText, Device, EmailText, Password, PinTried


class StaffLoginBody(Body):
    """An e-mail and its password; with two-factor on, also ``otp`` from the app, or a ``recovery_code``.

    ``device`` names this device; an app makes it up once, of random characters, and says the same each time.
    """

    model_config = example(
        {"email": "marta@example.com", "password": "correct horse battery", "device": "Office laptop"}
    )

    email: EmailText
    password: Password
    device: Device | None = None
    otp: CodeText | None = None
    recovery_code: CodeText | None = None


class PinBody(Body):
    """A PIN, and what this device calls itself."""

    pin: PinTried
    device: Device


class WhoIsIn(BaseModel):
    """Who logged in, and what they may do now."""

    id: int
    name: str
    role: Role
    permissions: list[Permission]


class StaffLoggedIn(BaseModel):
    """A token and whose it is."""

    token: str
    expires_at: datetime
    staff: WhoIsIn


class StoreOfMe(BaseModel):
    """The store that somebody works in."""

    id: int
    title: str
    store_type: str
    currency: str
    timezone: str


class Me(BaseModel):
    """A member of staff, as they see themselves."""

    id: int
    name: str
    email: str | None
    phone: str | None
    role: Role
    permissions: list[Permission]
    station_ids: list[int]
    two_factor: bool
    recovery_codes_left: int
    token_expires_at: datetime | None
    restaurant: StoreOfMe


class LoggedOut(BaseModel):
    """That the token is void."""

    message: str


class TwoFactorSetup(BaseModel):
    """What the authenticator app is told, as text, as an address, and as a QR code; good for ten minutes."""

    secret: str
    otpauth_uri: str
    qr_svg: str
    expires_in: int


class SecondFactorBody(Body):
    """The code that the app shows now."""

    model_config = example({"code": "482913"})

    code: CodeText


class TwoFactorOn(BaseModel):
    """Ten codes, each good for one login without the app. They are shown this once."""

    two_factor: bool
    recovery_codes: list[str]


class TwoFactorOff(Body):
    """The password, and ``code`` from the app or a ``recovery_code``."""

    model_config = example({"password": "correct horse battery", "code": "482913"})

    password: Password
    code: CodeText | None = None
    recovery_code: CodeText | None = None


class TwoFactorState(BaseModel):
    """Whether a second factor is asked for."""

    two_factor: bool
