"""Request and response bodies of login, two-factor and a member's own profile."""

from datetime import datetime

from comanda.contracts import Body, example
from pydantic import BaseModel

from comanda_staff.records import SessionMember
from comanda_staff.schemas.fields import CodeText, DeviceIdentifier, EmailText, Password, PinText


class StaffLoginBody(Body):
    """An e-mail and password; with two-factor on, also ``otp`` from the authenticator app, or a ``recovery_code``.

    ``device`` identifies this device; an app generates it once, from random characters, and sends it each time.
    """

    model_config = example(
        {"email": "marta@example.com", "password": "correct horse battery", "device": "Office laptop"}
    )

    email: EmailText
    password: Password
    device: DeviceIdentifier | None = None
    otp: CodeText | None = None
    recovery_code: CodeText | None = None


class PinBody(Body):
    """A PIN and the identifier of this device."""

    pin: PinText
    device: DeviceIdentifier


class StaffLoggedIn(BaseModel):
    """An access token and the member it belongs to."""

    token: str
    expires_at: datetime
    staff: SessionMember


class LoggedOut(BaseModel):
    """Confirmation that the token was revoked."""

    message: str


class SecondFactorBody(Body):
    """The current code of the authenticator app."""

    model_config = example({"code": "482913"})

    code: CodeText


class TwoFactorOn(BaseModel):
    """Ten recovery codes, each valid for one login without the app. They are shown only once."""

    two_factor: bool
    recovery_codes: list[str]


class TwoFactorOff(Body):
    """The password, and ``code`` from the authenticator app or a ``recovery_code``."""

    model_config = example({"password": "correct horse battery", "code": "482913"})

    password: Password
    code: CodeText | None = None
    recovery_code: CodeText | None = None


class TwoFactorState(BaseModel):
    """Whether two-factor is on."""

    two_factor: bool
