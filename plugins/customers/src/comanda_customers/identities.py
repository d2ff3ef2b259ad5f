"""What customers are known by: e-mail addresses and phone numbers, each in one form."""

import re
from dataclasses import dataclass
from enum import StrEnum

from comanda.errors import ValidationFailed
from comanda.phones import normalize_phone

MAX_EMAIL = 255
# Whether an address exists, only a message to it can tell; this keeps out what cannot be one.
EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


class Kind(StrEnum):
    """What an identity is, by the name of its field."""

    EMAIL = "email"
    PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Identity:
    """An e-mail address or phone number as it is stored and compared."""

    kind: Kind
    value: str


def email_of(text: str) -> Identity:
    """Read an e-mail address. Raises ``ValidationFailed``."""
    folded = text.strip().casefold()
    if len(folded) > MAX_EMAIL or not EMAIL.fullmatch(folded) or not folded.isprintable():
        raise ValidationFailed(email=["Must be an e-mail address such as ada@example.com."])
    return Identity(Kind.EMAIL, folded)


def phone_of(text: str, country: str | None) -> Identity:
    """Read a phone number, one without a country's code as one of ``country``. Raises ``ValidationFailed``."""
    number = normalize_phone(text, country)
    if number is None:
        raise ValidationFailed(phone=["Must be a phone number such as +351912345678."])
    return Identity(Kind.PHONE, number)


def reachable_phone_of(text: str, country: str | None) -> Identity:
    """Read a phone number that a message can be sent to. Raises ``ValidationFailed``."""
    phone = phone_of(text, country)
    if not phone.value.startswith("+"):
        raise ValidationFailed(phone=["Give the number with its country's code, such as +351912345678."])
    return phone


def identities_of(email: str | None, phone: str | None, country: str | None) -> list[Identity]:
    """Read those that are given. Raises ``ValidationFailed`` with what is wrong with each."""
    found: list[Identity] = []
    errors: dict[str, list[str]] = {}
    for read, text in ((email_of, email), (lambda text: phone_of(text, country), phone)):
        try:
            found += [read(text)] if text else []
        except ValidationFailed as error:
            errors |= error.errors
    if errors:
        raise ValidationFailed(errors)
    return found
