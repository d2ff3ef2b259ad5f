"""One key, one reservation: the header ``Idempotency-Key``, kept with the reservation for ever."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.orders.schemas import MAX_KEY_LENGTH, is_key

from comanda_reservations.records import COLUMNS, reservation_record

IDEMPOTENCY_KEY = ("Idempotency-Key", f"1 to {MAX_KEY_LENGTH} visible characters; a repeat gets the first reservation.")
FIND = f"""
    SELECT {COLUMNS}, body_hash FROM reservations_reservation
    WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""


@dataclass(frozen=True, slots=True)
class Key:
    """What identifies a repeat, and a hash that tells whether its body is the same."""

    text: str | None
    body_hash: bytes | None


NO_KEY = Key(None, None)


@dataclass(frozen=True, slots=True)
class Reserved:
    """A reservation, and whether an earlier request of the same key made it, perhaps with another body."""

    record: dict[str, Any]
    is_replay: bool = False
    is_mismatch: bool = False


def read_key(headers: Mapping[str, str], raw: bytes) -> Key:
    """Read a request's key. Raises ``ValidationFailed`` for one that cannot be used."""
    text = headers.get("idempotency-key")
    if text is None:
        return NO_KEY
    if not (is_key(text) and text.isascii()):
        raise ValidationFailed({"Idempotency-Key": [f"Send 1 to {MAX_KEY_LENGTH} visible ASCII characters."]})
    return Key(text, hashlib.sha256(raw).digest())


async def find(owner_id: int, store_id: int, key: Key) -> Reserved | None:
    """Return what an earlier request of this key made; the caller holds the store's book."""
    if key.text is None:
        return None
    row = await sql.fetch_one(FIND, store_id, owner_id, key.text)
    if row is None:
        return None
    return Reserved(reservation_record(row), is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)
