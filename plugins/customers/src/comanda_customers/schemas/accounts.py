"""Request and response bodies of registration, login and a customer's profile."""

from typing import Annotated

from comanda.contracts import Body, Name, example
from pydantic import BaseModel, Field

from comanda_customers.models import Purpose
from comanda_customers.records.customers import Profile
from comanda_customers.schemas.consents import ConsentsChange
from comanda_customers.schemas.fields import Birthday, CodeText, DeviceName, EmailText, Locale, Password, PhoneText


class RegisterBody(Body):
    """A new account, with an e-mail and a password, a phone number, or both.

    ``code`` proves the e-mail or phone; it is the one that ``otp/request`` sent for the purpose ``proof``. With it, a
    customer claims the record that the store already has of them, and sets a new password.
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
    device: DeviceName | None = None
    birthday: Birthday | None = None
    locale: Locale | None = None
    consents: ConsentsChange | None = None


class LoginBody(Body):
    """An e-mail, its password, and a name for this device."""

    model_config = example({"email": "ana@example.com", "password": "correct horse battery", "device": "Ana's phone"})

    email: EmailText
    password: Password
    device: DeviceName | None = None


class CodeRequest(Body):
    """The phone or e-mail to send a code to, and its purpose."""

    model_config = example({"phone": "+351912345678"})

    phone: PhoneText | None = None
    email: EmailText | None = None
    purpose: Purpose = Purpose.LOGIN


class CodeBody(Body):
    """A code, and the phone or e-mail it was sent to."""

    model_config = example({"phone": "+351912345678", "code": "482913", "device": "Ana's phone"})

    phone: PhoneText | None = None
    email: EmailText | None = None
    code: Annotated[str, Field(max_length=20)]
    device: DeviceName | None = None


class ProfileChange(Body):
    """Profile fields to update; fields left out are unchanged, null clears a field.

    A new e-mail or phone becomes the contact at once, and the login once ``code`` proves it; the code is the one that
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
    """Confirmation by the customer: the password, or a new code with the purpose ``proof``."""

    model_config = example({"password": "correct horse battery"})

    password: Password | None = None
    code: CodeText | None = None


class LoggedIn(BaseModel):
    """A token for this device, valid until 180 days after its last use, and its customer."""

    token: str
    customer: Profile


class CodeSent(BaseModel):
    """Confirmation of a code request, the same for known and unknown recipients; valid for ``expires_in`` seconds."""

    sent: bool
    expires_in: int


class LoggedOut(BaseModel):
    """Confirmation that the token was revoked."""

    message: str
