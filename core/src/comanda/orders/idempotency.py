"""Idempotency keys of orders: the header ``Idempotency-Key`` or the body's ``client_uuid``, stored with the order."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import orjson

from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.requests.calls import Unvalidated
from comanda.contracts.requests.idempotency import is_key, parse_header

MIN_ANONYMOUS_KEY_LENGTH: Final = 16
"""A shorter key could also be another guest's, so for anonymous callers it is combined with the body."""
# No key contains a space, so no client's key can equal a combined key.
SEPARATOR: Final = " "


@dataclass(frozen=True, slots=True)
class OrderKeys:
    """The keys of an order: the header, the body's ``client_uuid``, and a hash of the body to detect differences."""

    header: str | None
    client_uuid: str | None
    body_hash: bytes

    def __bool__(self) -> bool:
        """Return whether there is a key."""
        return self.header is not None or self.client_uuid is not None

    def bind_to_body(self, raw: bytes) -> "OrderKeys":
        """Return the keys for anonymous callers, with short ones combined with the body."""
        return replace(self, header=_bind(self.header, raw), client_uuid=_bind(self.client_uuid, raw))


def parse_keys(headers: Mapping[str, str], body: Unvalidated[OrderBody]) -> OrderKeys:
    """Parse the keys of a request whose body may be invalid. Raises ``ValidationFailed`` for an invalid header."""
    header = parse_header(headers)
    client_uuid = body.peek("client_uuid")
    return OrderKeys(
        header=header,
        client_uuid=client_uuid if isinstance(client_uuid, str) and is_key(client_uuid) else None,
        body_hash=hashlib.sha256(body.get_bytes()).digest(),
    )


def create_keys(key: str | None, fingerprint: bytes) -> OrderKeys:
    """Return the keys of an order that is placed from a form, a cart or a tool, for an anonymous caller.

    ``fingerprint`` are the order's fields in any fixed form: an order with other fields is another one.
    """
    return OrderKeys(key, None, hashlib.sha256(fingerprint).digest()).bind_to_body(fingerprint)


def to_sent_key(stored: str | None) -> str | None:
    """Return a stored key as the client sent it."""
    return stored.partition(SEPARATOR)[0] if stored else stored


def _bind(key: str | None, raw: bytes) -> str | None:
    if key is None or len(key) >= MIN_ANONYMOUS_KEY_LENGTH:
        return key
    return f"{key}{SEPARATOR}{hashlib.sha256(_canonicalize(raw)).hexdigest()}"


def _canonicalize(raw: bytes) -> bytes:
    """Return a JSON body with sorted keys and without white space; other bodies are returned unchanged."""
    try:
        return orjson.dumps(orjson.loads(raw), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return raw
