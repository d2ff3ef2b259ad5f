"""One key, one order: the header ``Idempotency-Key`` or the body's ``client_uuid``, kept with the order for ever."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import orjson

from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import is_key, parse_header
from comanda.contracts.order_bodies import OrderBody

MIN_ANONYMOUS_KEY_LENGTH: Final = 16
"""A shorter key could be another guest's too, so where guests do not say who they are it counts with its body."""
# No key contains a blank, so none that a client sends can be equal to a key that counts with a body.
SEPARATOR: Final = " "


@dataclass(frozen=True, slots=True)
class Keys:
    """What identifies a repeat: the header, the body's own key, and a hash that tells whether the body is the same."""

    header: str | None
    client_uuid: str | None
    body_hash: bytes

    def __bool__(self) -> bool:
        """Tell whether there is any key."""
        return self.header is not None or self.client_uuid is not None

    def bound_to_body(self, raw: bytes) -> "Keys":
        """Return the keys as callers have them that nobody can tell apart: short ones count together with the body."""
        return replace(self, header=_bound(self.header, raw), client_uuid=_bound(self.client_uuid, raw))


def read_keys(headers: Mapping[str, str], body: Unvalidated[OrderBody]) -> Keys:
    """Read the keys of a request whose body may be wrong. Raises ``ValidationFailed`` for an unusable header."""
    header = parse_header(headers)
    client_uuid = body.peek("client_uuid")
    return Keys(
        header=header,
        client_uuid=client_uuid if isinstance(client_uuid, str) and is_key(client_uuid) else None,
        body_hash=hashlib.sha256(body.raw).digest(),
    )


def sent_key(stored: str | None) -> str | None:
    """Return a stored key as the client sent it."""
    return stored.partition(SEPARATOR)[0] if stored else stored


def _bound(key: str | None, raw: bytes) -> str | None:
    if key is None or len(key) >= MIN_ANONYMOUS_KEY_LENGTH:
        return key
    return f"{key}{SEPARATOR}{hashlib.sha256(_canonical(raw)).hexdigest()}"


def _canonical(raw: bytes) -> bytes:
    """Return a body as it is whatever the sequence of its keys and its white space; what is not JSON stays as sent."""
    try:
        return orjson.dumps(orjson.loads(raw), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return raw
