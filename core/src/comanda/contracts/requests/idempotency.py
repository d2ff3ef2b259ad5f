"""Idempotency keys: the header ``Idempotency-Key``, and the result of a request that is sent again."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.calls import Answer, Call

T = TypeVar("T")

MAX_KEY_LENGTH = 255


def is_key(text: str) -> bool:
    """Return whether a text can identify a repeated request: 1 to 255 visible characters."""
    return 0 < len(text) <= MAX_KEY_LENGTH and text.isprintable() and " " not in text


def key_header(what: str) -> tuple[str, str]:
    """Describe the header for a route that creates a ``what``."""
    return "Idempotency-Key", f"1 to {MAX_KEY_LENGTH} visible characters; a repeat answers with the first {what}."


def parse_header(headers: Mapping[str, str]) -> str | None:
    """Return the header's key, or None without one. Raises ``ValidationFailed`` for one that cannot be used."""
    text = headers.get("idempotency-key")
    if text is not None and not (is_key(text) and text.isascii()):
        raise ValidationFailed({"Idempotency-Key": [f"Send 1 to {MAX_KEY_LENGTH} visible ASCII characters."]})
    return text


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """What identifies a repeat, and the hash that tells whether its body is the same; both None without a key."""

    text: str | None = None
    body_hash: bytes | None = None

    @classmethod
    def of(cls, call: Call) -> Self:
        """Read a request's key. Raises ``ValidationFailed`` like ``read_header``."""
        text = parse_header(call.headers)
        return cls() if text is None else cls(text, hashlib.sha256(call.get_bytes()).digest())


NO_IDEMPOTENCY_KEY = IdempotencyKey()


@dataclass(frozen=True, slots=True)
class IdempotentResult(Generic[T]):
    """A record, and whether an earlier request of the same key made it, perhaps with another body."""

    record: T
    is_replay: bool = False
    is_mismatch: bool = False

    def answer(self, to_json: Callable[[T], Any] | None = None) -> Answer:
        """Return the answer with the record, converted by ``to_json`` if given, and headers about the request."""
        headers = {"Idempotent-Replayed": "true"} if self.is_replay else {}
        if self.is_mismatch:
            headers["Idempotency-Mismatch"] = "true"
        return Answer(self.record if to_json is None else to_json(self.record), headers=headers)
