"""E-mail addresses and phone numbers of customers, in normalized form."""

import re
from dataclasses import dataclass
from enum import StrEnum

from comanda.basics import Sentence, ValidationFailed, normalize_phone

MAX_EMAIL_LENGTH = 255
# Rejects what cannot be an address; whether it exists, only a message to it can tell.
EMAIL_PATTERN = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


class IdentityKind(StrEnum):
    """The kind of an identity, named like its field."""

    EMAIL = "email"
    PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Identity:
    """An e-mail address or phone number as it is stored and compared."""

    kind: IdentityKind
    value: str


def parse_email(text: str) -> Identity:
    """Parse an e-mail address. Raises ``ValidationFailed``."""
    folded = text.strip().casefold()
    if len(folded) > MAX_EMAIL_LENGTH or not EMAIL_PATTERN.fullmatch(folded) or not folded.isprintable():
        raise ValidationFailed(email=[Sentence("Must be an e-mail address, such as ada@example.com.")])
    return Identity(IdentityKind.EMAIL, folded)


def parse_phone(text: str, country: str | None) -> Identity:
    """Parse a phone number; ``country`` applies if it has no country code. Raises ``ValidationFailed``."""
    number = normalize_phone(text, country)
    if number is None:
        raise ValidationFailed(phone=[Sentence("Must be a phone number, such as +351912345678.")])
    return Identity(IdentityKind.PHONE, number)


def parse_reachable_phone(text: str, country: str | None) -> Identity:
    """Parse a phone number that messages can be sent to. Raises ``ValidationFailed``."""
    phone = parse_phone(text, country)
    if not phone.value.startswith("+"):
        raise ValidationFailed(phone=[Sentence("Must include the country code, such as +351912345678.")])
    return phone


def parse_identities(email: str | None, phone: str | None, country: str | None) -> list[Identity]:
    """Parse the given e-mail and phone. Raises ``ValidationFailed`` with the errors of both."""
    found: list[Identity] = []
    errors: dict[str, list[str]] = {}
    for read, text in ((parse_email, email), (lambda text: parse_phone(text, country), phone)):
        try:
            found += [read(text)] if text else []
        except ValidationFailed as error:
            errors |= error.errors
    if errors:
        raise ValidationFailed(errors)
    return found
