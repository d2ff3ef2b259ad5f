"""Lookup of the caller behind a token: one indexed query and no cache, so a revocation counts at once.

Requests that arrive at the same time share a query, which begins after they have arrived.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from comanda.accounts import tokens
from comanda.basics import clock
from comanda.basics.errors import Forbidden, NotFound
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller, CallerKind
from comanda.platform.db import sql
from comanda.platform.db.lookups.shared_lookups import SharedLookup

# Precision to the hour costs one write an hour instead of one per request.
LAST_USE_PRECISION = timedelta(hours=1)
# The token of an owner's login, which has the owner as its subject; personal tokens have none and do not slide.
OWNER_LOGIN_LIFETIME = timedelta(days=90)

# PostgreSQL gives each version of a row the number of the transaction that wrote it, in ``xmin``.
SELECT_CALLERS = """
    SELECT t.token_hash, t.kind, t.id, t.owner_id, t.store_id, t.subject_id, t.scopes, t.expires_at, t.last_used_at,
        t.is_sliding, o.is_suspended, o.xmin AS owner_version
    FROM core_access_token t JOIN core_owner o ON o.id = t.owner_id
    WHERE t.token_hash = ANY($1::bytea[]) AND t.revoked_at IS NULL
"""
UPDATE_LAST_USE = "UPDATE core_access_token SET last_used_at = $3, expires_at = $4 WHERE id = $1 AND owner_id = $2"


async def _load_tokens(token_hashes: Sequence[bytes]) -> Mapping[bytes, sql.Row]:
    """Return the rows of tokens that are not revoked, by their hash."""
    return {row["token_hash"]: row for row in await sql.fetch(SELECT_CALLERS, token_hashes)}


_tokens = SharedLookup(_load_tokens)


async def find_caller(token: str, kind: CallerKind) -> Caller | None:
    """Return the caller, or None for a token that is unknown, revoked or expired.

    Raises ``Forbidden`` with the reason ``account_suspended`` if the owner is suspended, or ``NotFound`` if the token
    is a public one.
    """
    if not tokens.is_well_formed(token, kind.prefix):
        return None
    row = await _tokens.find(tokens.hash_token(token))
    moment = clock.now()
    if row is None or row["kind"] != kind.code or (row["expires_at"] is not None and row["expires_at"] <= moment):
        return None
    if row["is_suspended"] and kind.is_public:
        raise NotFound
    if row["is_suspended"]:
        raise Forbidden(Sentence("This account is suspended."), extras={"reason": "account_suspended"})
    expires_at: datetime | None = row["expires_at"]
    if row["last_used_at"] is None or moment - row["last_used_at"] >= LAST_USE_PRECISION:
        lifetime = _get_sliding_lifetime(kind, row)
        if lifetime is not None and expires_at is not None:
            expires_at = moment + lifetime
        await sql.execute(UPDATE_LAST_USE, row["id"], row["owner_id"], moment, expires_at)
    return Caller(
        kind=kind.code,
        token_id=row["id"],
        owner_id=row["owner_id"],
        store_id=row["store_id"],
        subject_id=row["subject_id"],
        scopes=frozenset((*row["scopes"], *kind.implied_scopes)),
        expires_at=expires_at,
        acts_as=kind.acts_as,
        owner_version=row["owner_version"],
    )


def _get_sliding_lifetime(kind: CallerKind, row: sql.Row) -> timedelta | None:
    """Return how long a use extends the token, or None if it does not."""
    if not row["is_sliding"]:
        return None
    if kind.code == "owner" and row["subject_id"] == row["owner_id"]:
        return OWNER_LOGIN_LIFETIME
    return kind.lifetime if kind.is_sliding else None
