"""Validation of messages: addresses and text lengths per channel."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from comanda.basics import ValidationFailed
from comanda.contracts import CHANNELS, Channel, OutgoingMessage

EMAIL_PATTERN: Final = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+")
PHONE_PATTERN: Final = re.compile(r"\+?[0-9]{4,15}", re.ASCII)
SEPARATORS: Final = re.compile(r"[\s().\-/]")
MAX_EMAIL_LENGTH: Final = 254
MAX_PUSH_TOKEN_LENGTH: Final = 4096
MAX_SUBJECT_LENGTH: Final = 200
MAX_HTML_LENGTH: Final = 200_000
MAX_TEXT_LENGTHS: Final = {"sms": 1_600, "email": 100_000, "push": 4_000}


def normalize_message(message: OutgoingMessage) -> OutgoingMessage:
    """Return a message without control characters, and with phone numbers without separators.

    Raises ``ValidationFailed`` if it cannot be sent.
    """
    if message.channel not in CHANNELS:
        raise ValidationFailed(channel=[f"Must be one of: {', '.join(CHANNELS)}."])
    address, text, html = (
        ADDRESS_PARSERS[message.channel](message.to),
        _strip_control_characters(message.text),
        message.html,
    )
    subject = None if message.subject is None else " ".join(_strip_control_characters(message.subject).split())
    problems = {
        "to": address is None and "Must be an address of this channel.",
        "text": find_length_problem(text, message.channel),
        "subject": subject is not None and len(subject) > MAX_SUBJECT_LENGTH and _describe_limit(MAX_SUBJECT_LENGTH),
        "html": html is not None and len(html) > MAX_HTML_LENGTH and _describe_limit(MAX_HTML_LENGTH),
    }
    if found := {field: [sentence] for field, sentence in problems.items() if sentence}:
        raise ValidationFailed(found)
    html = None if html is None else _strip_control_characters(html)
    return replace(message, to=address or "", text=text, subject=subject, html=html)


def mask_address(channel: Channel, address: str) -> str:
    """Return an address masked for logs: recognisable, but not usable."""
    if channel == "email":
        name, _, domain = address.rpartition("@")
        return f"{name[:1]}…@{domain}"
    return f"…{address[-3:]}" if len(address) >= 8 else "…"


def _parse_email(address: str) -> str | None:
    address = address.strip()
    is_one = len(address) <= MAX_EMAIL_LENGTH and address.isprintable() and EMAIL_PATTERN.fullmatch(address)
    return address if is_one else None


def _parse_phone(address: str) -> str | None:
    number = SEPARATORS.sub("", address)
    return number if PHONE_PATTERN.fullmatch(number) else None


def parse_push_token(address: str) -> str | None:
    """Return a push token without surrounding space, or None if it is invalid."""
    token = address.strip()
    return token if 0 < len(token) <= MAX_PUSH_TOKEN_LENGTH and token.isprintable() else None


ADDRESS_PARSERS: Final[dict[Channel, Callable[[str], str | None]]] = {
    "email": _parse_email,
    "sms": _parse_phone,
    "push": parse_push_token,
}


def _strip_control_characters(text: str) -> str:
    kept = (mark for mark in text if mark in "\n\t" or unicodedata.category(mark) not in {"Cc", "Cs"})
    return "".join(kept).strip()


def find_length_problem(text: str, channel: Channel) -> str | None:
    """Return the error for a text that is empty or too long, or None."""
    if not text:
        return "Must not be blank."
    limit = MAX_TEXT_LENGTHS[channel]
    return _describe_limit(limit) if len(text) > limit else None


def _describe_limit(limit: int) -> str:
    return f"Must have at most {limit} characters."
