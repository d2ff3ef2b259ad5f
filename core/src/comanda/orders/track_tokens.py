"""Track tokens: whoever has an order's token may follow and pay the order."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

from comanda.basics.errors import NotFound
from comanda.basics.owner_prefix import MAX_PREFIX_LENGTH, add_owner_prefix, parse_owner_prefix
from comanda.platform.db import sql

RANDOM_BYTES: Final = 32
# The random part in url-safe base 64; tokens of earlier versions consist of it alone.
RANDOM_LENGTH: Final = 43
MAX_LENGTH: Final = MAX_PREFIX_LENGTH + RANDOM_LENGTH
SELECT_OWNER_BY_TRACK_HASH: Final = "SELECT owner_id FROM core_order WHERE track_hash = $1"


@dataclass(frozen=True, slots=True)
class TrackKey:
    """What finds an order by its track token."""

    owner_id: int
    track_hash: bytes


def generate_track_token(owner_id: int) -> str:
    """Return a new track token of an owner's order, with 256 random bits."""
    return add_owner_prefix(owner_id, secrets.token_urlsafe(RANDOM_BYTES))


def hash_track_token(token: str) -> bytes:
    """Return the hash by which an order is looked up, so that timing reveals nothing about existing tokens."""
    return hashlib.sha256(token.encode()).digest()


async def find_track_key(token: str) -> TrackKey:
    """Return the key of a track token. Raises ``NotFound`` for text that is none."""
    if not token.isascii() or not RANDOM_LENGTH <= len(token) <= MAX_LENGTH:
        raise NotFound
    track_hash = hash_track_token(token)
    owner_id = parse_owner_prefix(token, RANDOM_LENGTH)
    if len(token) == RANDOM_LENGTH:
        owner_id = await sql.fetch_value(SELECT_OWNER_BY_TRACK_HASH, track_hash)
    if owner_id is None:
        raise NotFound
    return TrackKey(owner_id, track_hash)
