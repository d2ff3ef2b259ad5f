"""What a message must be like before it is stored: an address of its channel, and texts of a bearable size."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from comanda.contracts.messaging import CHANNELS, Channel, OutgoingMessage
from comanda.errors import ValidationFailed

EMAIL: Final = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+")
PHONE: Final = re.compile(r"\+?[0-9]{4,15}", re.ASCII)
SEPARATORS: Final = re.compile(r"[\s().\-/]")
EMAIL_LENGTH: Final = 254
PUSH_TOKEN_LENGTH: Final = 4096
SUBJECT_LENGTH: Final = 200
HTML_LENGTH: Final = 200_000
TEXT_LENGTHS: Final = {"sms": 1_600, "email": 100_000, "push": 4_000}


def checked(message: OutgoingMessage) -> OutgoingMessage:
    """Return a message as it is stored: texts without control characters, a telephone number without separators.

    Raises ``ValidationFailed`` for one that cannot be sent.
    """
    if message.channel not in CHANNELS:
        raise ValidationFailed(channel=[f"Must be one of: {', '.join(CHANNELS)}."])
    address, text, html = ADDRESSES[message.channel](message.to), _clean(message.text), message.html
    subject = None if message.subject is None else " ".join(_clean(message.subject).split())
    problems = {
        "to": address is None and "This is no address of that channel.",
        "text": wrong_length(text, message.channel),
        "subject": subject is not None and len(subject) > SUBJECT_LENGTH and _too_long(SUBJECT_LENGTH),
        "html": html is not None and len(html) > HTML_LENGTH and _too_long(HTML_LENGTH),
    }
    if found := {field: [sentence] for field, sentence in problems.items() if sentence}:
        raise ValidationFailed(found)
    html = None if html is None else _clean(html)
    return replace(message, to=address or "", text=text, subject=subject, html=html)


def masked(channel: Channel, address: str) -> str:
    """Return as much of an address as a log may hold: enough to recognise it, too little to use it."""
    if channel == "email":
        name, _, domain = address.rpartition("@")
        return f"{name[:1]}…@{domain}"
    return f"…{address[-3:]}" if len(address) >= 8 else "…"


def _email(address: str) -> str | None:
    address = address.strip()
    is_one = len(address) <= EMAIL_LENGTH and address.isprintable() and EMAIL.fullmatch(address)
    return address if is_one else None


def _phone(address: str) -> str | None:
    number = SEPARATORS.sub("", address)
    return number if PHONE.fullmatch(number) else None


def push_token(address: str) -> str | None:
    """Return a push token without the space around it, or None for what is none."""
    token = address.strip()
    return token if 0 < len(token) <= PUSH_TOKEN_LENGTH and token.isprintable() else None


ADDRESSES: Final[dict[Channel, Callable[[str], str | None]]] = {"email": _email, "sms": _phone, "push": push_token}


def _clean(text: str) -> str:
    kept = (mark for mark in text if mark in "\n\t" or unicodedata.category(mark) not in {"Cc", "Cs"})
    return "".join(kept).strip()


def wrong_length(text: str, channel: Channel) -> str | None:
    """Return what is wrong with a text's length, if anything."""
    if not text:
        return "Must not be blank."
    limit = TEXT_LENGTHS[channel]
    return _too_long(limit) if len(text) > limit else None


def _too_long(limit: int) -> str:
    return f"Must have at most {limit} characters."
