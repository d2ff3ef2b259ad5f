"""Field types shared by several bodies."""

import re
from typing import Annotated, Any

from comanda.contracts import ShortText
from pydantic import AfterValidator, BeforeValidator, Field

EMAIL_PATTERN = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


def _casefold(text: str) -> str:
    return text.casefold()


def _check_email(text: str) -> str:
    if not EMAIL_PATTERN.fullmatch(text) or not text.isprintable() or len(text) > 255:
        raise ValueError("must be an e-mail address, such as ada@example.com")
    return text


def _check_pin(text: str) -> str:
    if not re.fullmatch(r"[0-9]{4,8}", text):
        raise ValueError("must have 4 to 8 digits")
    return text


def _to_text(value: Any) -> Any:
    # A register may send a number. Leading zeros are lost then, so the code will not match.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _check_encodable(text: str) -> str:
    # A lone surrogate cannot be encoded as UTF-8, and no keyboard produces one.
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise ValueError("must be a string")
    return text


# Typed to log in: compared, never rejected for its format.
EmailText = Annotated[ShortText, AfterValidator(_casefold)]
Email = Annotated[ShortText, AfterValidator(_casefold), AfterValidator(_check_email)]
Password = Annotated[str, Field(max_length=1000), AfterValidator(_check_encodable)]
PinText = Annotated[str, BeforeValidator(_to_text), Field(max_length=100), AfterValidator(_check_encodable)]
Pin = Annotated[str, BeforeValidator(_to_text), AfterValidator(_check_pin)]
DeviceIdentifier = Annotated[ShortText, Field(min_length=1, max_length=100)]
CodeText = Annotated[str, BeforeValidator(_to_text), Field(max_length=20), AfterValidator(_check_encodable)]
