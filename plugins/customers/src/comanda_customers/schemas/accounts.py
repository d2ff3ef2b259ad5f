"""Registering, logging in, and a customer's profile on the wire."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, example
from pydantic import BaseModel, Field

from comanda_customers.models import Purpose
from comanda_customers.schemas.consents import Consents, ConsentsChange
from comanda_customers.schemas.wire import Birthday, CodeText, Device, EmailText, Locale, Password, PhoneText


class RegisterBody(Body):
    """Whom to register: with an e-mail and a password, a phone number, or both.

    ``code`` proves the e-mail or phone, with what ``otp/request`` sent for the purpose ``proof``. With it
    somebody takes over a record that the store has of them already, and sets a new password.
    """

    model_config = example(
        {
            "name": "Ana Silva",
            "email": "ana@example.com",
            "password": "correct horse battery",
            "device": "Ana's phone",
            "consents": {"terms": True},
        }
    )

    name: Name
    email: EmailText | None = None
    phone: PhoneText | None = None
    password: Password | None = None
    code: CodeText | None = None
    device: Device | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None


class LoginBody(Body):
    """An e-mail, its password, and what the customer will know this device by."""

    model_config = example({"email": "ana@example.com", "password": "correct horse battery", "device": "Ana's phone"})

    email: EmailText
    password: Password
    device: Device | None = None


class CodeRequest(Body):
    """Where to send a code, by SMS or e-mail, and what for."""

    model_config = example({"phone": "+351912345678"})

    phone: PhoneText | None = None
    email: EmailText | None = None
    purpose: Purpose = Purpose.LOGIN


class CodeBody(Body):
    """A code, and where it was sent to."""

    model_config = example({"phone": "+351912345678", "code": "482913", "device": "Ana's phone"})

    phone: PhoneText | None = None
    email: EmailText | None = None
    code: Annotated[str, Field(max_length=20)]
    device: Device | None = None


class ProfileChange(Body):
    """What to change of one's profile; what is left out stays, null takes away.

    A new e-mail or phone is where the store reaches the customer; they log in by it once ``code`` proves it, with what
    ``otp/request`` sent there for the purpose ``proof``.
    """

    model_config = example({"name": "Ana Silva", "birthday": "1990-05-17", "consents": {"marketing_email": True}})

    name: Name | None = None
    email: EmailText | None = None
    phone: PhoneText | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None
    code: CodeText | None = None


class ErasureBody(Body):
    """Proof that it is the customer who asks: the password, or a fresh code of the purpose ``proof``."""

    model_config = example({"password": "correct horse battery"})

    password: Password | None = None
    code: CodeText | None = None


class CustomerOut(BaseModel):
    """A customer's profile. ``email_verified`` and ``phone_verified`` tell whether they have proven what stands there.

    ``orders_count`` leaves cancelled orders out.
    """

    id: int
    name: str | None
    email: str | None
    email_verified: bool
    phone: str | None
    phone_verified: bool
    birthday: date | None
    locale: str | None
    consents: Consents
    orders_count: int
    created_at: datetime


class LoggedIn(BaseModel):
    """A token for this device, good until 180 days after its last use, and whose it is."""

    token: str
    customer: CustomerOut


class Verified(LoggedIn):
    """A token, and whether the customer is new to the store."""

    created: bool


class CodeSent(BaseModel):
    """What everybody hears who asks for a code; it is good for ``expires_in`` seconds."""

    sent: bool
    expires_in: int


class LoggedOut(BaseModel):
    """That the token is void."""

    message: str
