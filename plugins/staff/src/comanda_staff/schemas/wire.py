"""Types of fields that more than one body has."""

import re
from typing import Annotated, Any

from comanda.contracts.fields import ShortText
from pydantic import AfterValidator, BeforeValidator, Field

EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+")


def _folded(text: str) -> str:
    return text.casefold()


def _email(text: str) -> str:
    if not EMAIL.fullmatch(text) or not text.isprintable() or len(text) > 255:
        raise ValueError("must be an e-mail address such as ada@example.com")
    return text


def _pin(text: str) -> str:
    if not re.fullmatch(r"[0-9]{4,8}", text):
        raise ValueError("must have 4 to 8 digits")
    return text


def _digits(value: Any) -> Any:
    # A till may send a number; one with zeros before it has lost them, and is somebody else's or nobody's.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _printable(text: str) -> str:
    # Half a surrogate pair has no UTF-8, and no keyboard makes one.
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise ValueError("must be a string")
    return text


# What somebody types to log in: compared, never refused for its form.
EmailText = Annotated[ShortText, AfterValidator(_folded)]
Email = Annotated[ShortText, AfterValidator(_folded), AfterValidator(_email)]
Password = Annotated[str, Field(max_length=1000), AfterValidator(_printable)]
PinTried = Annotated[str, BeforeValidator(_digits), Field(max_length=100), AfterValidator(_printable)]
Pin = Annotated[str, BeforeValidator(_digits), AfterValidator(_pin)]
Device = Annotated[ShortText, Field(min_length=1, max_length=100)]
CodeText = Annotated[str, BeforeValidator(_digits), Field(max_length=20), AfterValidator(_printable)]
