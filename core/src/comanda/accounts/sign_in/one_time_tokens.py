"""One-time tokens: links and steps of signing in that are good for one use and a short time.

A token names its owner and is stored as its hash alone. Using it deletes its row, so that of several requests with the
same token one succeeds; in a transaction that is rolled back, the token stays good.

    token = await create_token(owner_id, "password_reset", timedelta(minutes=30))
    …
    used = await use_token(token, "password_reset")
    if used is None:
        raise NotFound
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from comanda.accounts import tokens
from comanda.basics import clock
from comanda.basics.owner_prefix import add_owner_prefix, parse_owner_prefix
from comanda.platform.db import sql

# The owner of tokens that are nobody's yet, such as that of the first start.
NO_OWNER: Final = 0
RANDOM_LENGTH: Final = tokens.RANDOM_LENGTH + tokens.CHECKSUM_LENGTH

INSERT_ROW: Final = """
    INSERT INTO core_one_time_token (owner_id, purpose, token_hash, content, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
"""
SELECT_ROW: Final = """
    SELECT owner_id, content FROM core_one_time_token
    WHERE owner_id = $1 AND token_hash = $2 AND purpose = $3 AND expires_at > $4
"""
DELETE_ROW: Final = """
    DELETE FROM core_one_time_token WHERE owner_id = $1 AND token_hash = $2 AND purpose = $3 AND expires_at > $4
    RETURNING owner_id, content
"""
DELETE_TOKENS_OF: Final = "DELETE FROM core_one_time_token WHERE owner_id = $1 AND purpose = $2"
DELETE_EXPIRED_TOKENS: Final = "DELETE FROM core_one_time_token WHERE expires_at <= $1"


@dataclass(frozen=True, slots=True)
class OneTimeToken:
    """What a valid token stands for."""

    owner_id: int
    content: str


async def create_token(owner_id: int, purpose: str, lifetime: timedelta, content: str = "") -> str:
    """Create a token of an owner, or of ``NO_OWNER``, and return it. ``content`` is given back when it is used."""
    token = _add_owner(owner_id, tokens.generate_token(""))
    moment = clock.now()
    await sql.execute(INSERT_ROW, owner_id, purpose, tokens.hash_token(token), content, moment + lifetime, moment)
    return token


async def find_token(token: str, purpose: str) -> OneTimeToken | None:
    """Return what a token stands for without using it, or None for one that is unknown, used or expired."""
    return await _fetch(SELECT_ROW, token, purpose)


async def use_token(token: str, purpose: str) -> OneTimeToken | None:
    """Use a token up and return what it stands for, or None for one that is unknown, used or expired."""
    return await _fetch(DELETE_ROW, token, purpose)


async def delete_tokens(owner_id: int, purpose: str) -> int:
    """Delete an owner's tokens of a purpose and return how many there were."""
    return await sql.execute(DELETE_TOKENS_OF, owner_id, purpose)


async def delete_expired_tokens() -> int:
    """Delete tokens that have expired and return how many."""
    return await sql.execute(DELETE_EXPIRED_TOKENS, clock.now())


async def _fetch(statement: str, token: str, purpose: str) -> OneTimeToken | None:
    owner_id = _parse_owner(token)
    if owner_id is None:
        return None
    row = await sql.fetch_one(statement, owner_id, tokens.hash_token(token), purpose, clock.now())
    return None if row is None else sql.to_record(OneTimeToken, row)


def _add_owner(owner_id: int, random: str) -> str:
    return random if owner_id == NO_OWNER else add_owner_prefix(owner_id, random)


def _parse_owner(token: str) -> int | None:
    """Return the owner whom a token names, or None for text that is no token, so that noise costs no query."""
    if not tokens.is_well_formed(token[-RANDOM_LENGTH:], ""):
        return None
    return NO_OWNER if len(token) == RANDOM_LENGTH else parse_owner_prefix(token, RANDOM_LENGTH)
