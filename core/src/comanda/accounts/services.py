"""Owners and access tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

import asyncpg

from comanda import clock
from comanda.accounts import tokens
from comanda.accounts.models import AccessToken, Owner
from comanda.contracts import scopes
from comanda.contracts.callers import Caller, CallerKind
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

REVOKE_TOKENS_OF_SUBJECT = """
    UPDATE core_access_token SET revoked_at = $4
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND revoked_at IS NULL AND id IS DISTINCT FROM $5
"""
UPDATE_SCOPES = """
    UPDATE core_access_token SET scopes = $4
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND revoked_at IS NULL
"""


class KindLifetime(Enum):
    """Marks that a token has the lifetime of its kind."""

    LIFETIME = "lifetime"


KIND_LIFETIME: Final = KindLifetime.LIFETIME


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token; ``secret`` is what its holder sends, and cannot be read again later."""

    id: int
    secret: str
    scopes: list[str]
    expires_at: datetime | None


async def create_owner(email: str, name: str) -> Owner:
    """Create an owner. Raises ``ValidationFailed`` if another owner has the e-mail address."""
    address = email.strip().casefold()
    if "@" not in address.strip("@"):
        raise ValidationFailed(email=[f"{email} is not an e-mail address."])
    created = await sql.fetch_one(
        """WITH made AS (
             INSERT INTO core_owner (email, name, created_at) VALUES ($1, $2, $3)
             ON CONFLICT (email) DO NOTHING RETURNING id)
           SELECT id FROM made""",
        address,
        name.strip(),
        clock.now(),
    )
    if created is None:
        raise ValidationFailed(email=[f"There is already an owner with the e-mail {address}."])
    return await Owner.get(id=created["id"])


async def find_owner(email: str) -> Owner:
    """Return an owner by e-mail address. Raises ``NotFound``."""
    owner = await Owner.get_or_none(email=email.strip().casefold())
    if owner is None:
        raise NotFound(f"There is no owner with the e-mail {email}.")
    return owner


async def issue_token(
    kind: CallerKind,
    owner_id: int,
    granted: Sequence[str],
    *,
    name: str,
    store_id: int | None = None,
    subject_id: int | None = None,
    expires_at: datetime | None = None,
    lifetime: timedelta | KindLifetime | None = KIND_LIFETIME,
    is_sliding: bool = True,
) -> IssuedToken:
    """Create an access token, valid until ``expires_at``, or else for ``lifetime`` from now; None means no expiry.

    Each use of a token of a sliding kind extends it by the kind's lifetime, unless it never expires or ``is_sliding``
    is false. Raises ``NotFound`` if the owner does not exist.
    """
    secret = tokens.generate_token(kind.prefix)
    moment = clock.now()
    valid_for = kind.lifetime if isinstance(lifetime, KindLifetime) else lifetime
    if expires_at is None and valid_for is not None:
        expires_at = moment + valid_for
    try:
        token_id = await sql.fetch_value(
            """WITH made AS (
                 INSERT INTO core_access_token
                   (owner_id, kind, token_hash, name, store_id, subject_id, scopes, expires_at, is_sliding, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id)
               SELECT id FROM made""",
            owner_id,
            kind.code,
            tokens.hash_token(secret),
            name,
            store_id,
            subject_id,
            list(granted),
            expires_at,
            is_sliding,
            moment,
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise NotFound(f"There is no owner {owner_id} with that store.") from error
    return IssuedToken(id=token_id, secret=secret, scopes=list(granted), expires_at=expires_at)


async def issue_owner_token(
    kind: CallerKind, owner_id: int, requested: Sequence[str], *, name: str, expires_at: datetime | None = None
) -> IssuedToken:
    """Create a personal token of an owner. Raises ``ValidationFailed`` for an unknown scope."""
    try:
        granted = scopes.normalize_scopes(requested, scopes.owner_scopes())
    except ValueError as error:
        raise ValidationFailed(scopes=[str(error)]) from error
    return await issue_token(kind, owner_id, granted, name=name, expires_at=expires_at)


async def revoke_token(owner_id: int, token_id: int) -> None:
    """Revoke a token; its next use gets 401. Raises ``NotFound`` for another owner's token."""
    revoked = await AccessToken.filter(id=token_id, owner_id=owner_id, revoked_at=None).update(revoked_at=clock.now())
    if not revoked:
        raise NotFound(f"Owner {owner_id} has no active token {token_id}.")


async def revoke_tokens(owner_id: int, kind_code: str, subject_id: int, *, except_id: int | None = None) -> int:
    """Revoke all tokens of a customer, driver or member of staff except ``except_id``; return how many."""
    return await sql.execute(REVOKE_TOKENS_OF_SUBJECT, owner_id, kind_code, subject_id, clock.now(), except_id)


async def update_scopes(owner_id: int, kind_code: str, subject_id: int, granted: Sequence[str]) -> int:
    """Update the scopes of all active tokens of a subject and return how many there are."""
    return await sql.execute(UPDATE_SCOPES, owner_id, kind_code, subject_id, list(granted))


async def is_valid_token(secret: str, owner_id: int) -> bool:
    """Return whether a token of the owner is valid now."""
    found = await AccessToken.get_or_none(token_hash=tokens.hash_token(secret), owner_id=owner_id, revoked_at=None)
    return found is not None and (found.expires_at is None or found.expires_at > clock.now())


async def describe_caller(caller: Caller) -> dict[str, Any]:
    """Return the account and scopes of an owner's token. Raises ``NotFound``."""
    row = await sql.fetch_one(
        """SELECT o.id, o.name, o.email, o.plan, o.created_at, t.name AS token_name, t.expires_at, t.last_used_at,
                  (SELECT count(*) FROM core_store s WHERE s.owner_id = o.id) AS stores_count
           FROM core_owner o JOIN core_access_token t ON t.owner_id = o.id
           WHERE o.id = $1 AND t.id = $2""",
        caller.owner_id,
        caller.token_id,
    )
    if row is None:
        raise NotFound
    return {
        "id": row["id"],
        "name": row["name"],
        "email": row["email"],
        "kind": caller.kind,
        "abilities": sorted(caller.scopes),
        "token": {
            "id": caller.token_id,
            "name": row["token_name"],
            "expires_at": row["expires_at"],
            "last_used_at": row["last_used_at"],
        },
        "stores_count": row["stores_count"],
        "plan": row["plan"],
        "created_at": row["created_at"],
    }
