"""Owners and access tokens."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

import asyncpg

from comanda.accounts import tokens, web_sessions
from comanda.accounts.models import AccessToken, Owner
from comanda.accounts.records import CallerIdentity, TokenUse
from comanda.basics import clock
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts import scopes
from comanda.contracts.requests.callers import Caller, CallerKind
from comanda.platform import runtime
from comanda.platform.db import sql

REVOKE_TOKENS_OF_SUBJECT = """
    UPDATE core_access_token SET revoked_at = $4
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND revoked_at IS NULL AND id IS DISTINCT FROM $5
"""
REVOKE_TOKENS_NAMED = """
    UPDATE core_access_token SET revoked_at = $5
    WHERE owner_id = $1 AND kind = $2 AND store_id = $3 AND name = $4 AND revoked_at IS NULL
"""
DELETE_NAMES_OF_SUBJECT = "UPDATE core_access_token SET name = '' WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"
REPLACE_HASH = """
    UPDATE core_access_token SET token_hash = $3, last_used_at = NULL
    WHERE owner_id = $1 AND id = $2 AND revoked_at IS NULL
"""
UPDATE_SCOPES = """
    UPDATE core_access_token SET scopes = $4
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND revoked_at IS NULL
"""
UPDATE_PLAN = "UPDATE core_owner SET plan = $2 WHERE id = $1 AND plan IS DISTINCT FROM $2"
UPDATE_BRANDS = "UPDATE core_owner SET brand_name = $2, brand_email = $3 WHERE id = ANY($1::bigint[])"
REVOKE_TOKENS_BY_ID = """
    UPDATE core_access_token SET revoked_at = $3 WHERE owner_id = $1 AND id = ANY($2::bigint[]) AND revoked_at IS NULL
"""
SELECT_LAST_USES = """
    SELECT id, last_used_at FROM core_access_token
    WHERE owner_id = $1 AND id = ANY($2::bigint[]) AND last_used_at IS NOT NULL
"""
SELECT_SCOPES = """
    SELECT DISTINCT scopes FROM core_access_token
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND revoked_at IS NULL
"""
LIMIT_TOKENS = """
    UPDATE core_access_token SET scopes = $5, store_id = $6
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 AND scopes = $4 AND revoked_at IS NULL
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
        raise ValidationFailed(
            email=[Sentence("There is already an owner with the e-mail %(address)s.", address=address)]
        )
    return await Owner.get(id=created["id"])


async def bump_owner_version(owner_id: int) -> None:
    """Invalidate what every process keeps about an owner, such as entitlements, from the next request on.

    It locks the owner's row, so it comes first in a transaction.
    """
    await sql.execute("UPDATE core_owner SET is_suspended = is_suspended WHERE id = $1", owner_id)


async def find_owner(email: str) -> Owner:
    """Return an owner by e-mail address. Raises ``NotFound``."""
    owner = await Owner.get_or_none(email=email.strip().casefold())
    if owner is None:
        raise NotFound(f"There is no owner with the e-mail {email}.")
    return owner


async def get_owner(owner_id: int) -> Owner:
    """Return an owner by id. Raises ``NotFound``."""
    owner = await Owner.get_or_none(id=owner_id)
    if owner is None:
        raise NotFound(f"There is no owner {owner_id}.")
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
        granted = scopes.normalize_scopes(requested, runtime.registry().list_scopes("owner"))
    except ValueError as error:
        raise ValidationFailed(scopes=[str(error)]) from error
    return await issue_token(kind, owner_id, granted, name=name, expires_at=expires_at)


async def revoke_token(owner_id: int, token_id: int) -> None:
    """Revoke a token; its next use gets 401. Raises ``NotFound`` for another owner's token."""
    revoked = await AccessToken.filter(id=token_id, owner_id=owner_id, revoked_at=None).update(revoked_at=clock.now())
    if not revoked:
        raise NotFound(f"Owner {owner_id} has no active token {token_id}.")


async def revoke_tokens(owner_id: int, kind_code: str, subject_id: int, *, except_id: int | None = None) -> int:
    """Revoke all tokens of a customer, driver or member of staff except ``except_id``; return how many.

    The person's web sessions end, too.
    """
    await web_sessions.end_sessions_of(owner_id, kind_code, subject_id)
    return await sql.execute(REVOKE_TOKENS_OF_SUBJECT, owner_id, kind_code, subject_id, clock.now(), except_id)


async def revoke_tokens_named(owner_id: int, kind_code: str, store_id: int, name: str) -> int:
    """Revoke a store's tokens of one kind and name; return how many."""
    return await sql.execute(REVOKE_TOKENS_NAMED, owner_id, kind_code, store_id, name, clock.now())


async def replace_secret(kind: CallerKind, owner_id: int, token_id: int) -> str:
    """Return a new secret of a token; the old one stops working at once. Raises ``NotFound``."""
    secret = tokens.generate_token(kind.prefix)
    if not await sql.execute(REPLACE_HASH, owner_id, token_id, tokens.hash_token(secret)):
        raise NotFound(f"Owner {owner_id} has no active token {token_id}.")
    return secret


async def delete_token_names(owner_id: int, kind_code: str, subject_id: int) -> None:
    """Remove the names that a person gave to their tokens and web sessions, such as those of devices."""
    await web_sessions.delete_names(owner_id, kind_code, subject_id)
    await sql.execute(DELETE_NAMES_OF_SUBJECT, owner_id, kind_code, subject_id)


async def update_scopes(owner_id: int, kind_code: str, subject_id: int, granted: Sequence[str]) -> int:
    """Update the scopes of all active tokens and web sessions of a subject; return how many tokens there are."""
    await web_sessions.update_scopes(owner_id, kind_code, subject_id, granted)
    return await sql.execute(UPDATE_SCOPES, owner_id, kind_code, subject_id, list(granted))


async def limit_tokens(
    owner_id: int, kind_code: str, subject_id: int, granted: Collection[str], store_id: int | None
) -> None:
    """Reduce the scopes of a subject's active tokens to those ``granted``, and bind them to a store or to all."""
    known = runtime.registry().list_scopes(kind_code)
    for row in await sql.fetch(SELECT_SCOPES, owner_id, kind_code, subject_id):
        common = scopes.common_scopes(row["scopes"], granted, known)
        await sql.execute(LIMIT_TOKENS, owner_id, kind_code, subject_id, row["scopes"], common, store_id)


async def revoke_tokens_by_id(owner_id: int, token_ids: Sequence[int]) -> int:
    """Revoke those of an owner's tokens that are active and return how many there were."""
    return await sql.execute(REVOKE_TOKENS_BY_ID, owner_id, list(token_ids), clock.now())


async def get_last_uses(owner_id: int, token_ids: Sequence[int]) -> Mapping[int, datetime]:
    """Return when tokens of an owner were last used, by id; those that were never used are left out."""
    return {row["id"]: row["last_used_at"] for row in await sql.fetch(SELECT_LAST_USES, owner_id, list(token_ids))}


async def is_valid_token(secret: str, owner_id: int) -> bool:
    """Return whether a token of the owner is valid now."""
    found = await AccessToken.get_or_none(token_hash=tokens.hash_token(secret), owner_id=owner_id, revoked_at=None)
    return found is not None and (found.expires_at is None or found.expires_at > clock.now())


async def is_token_of(secret: str, owner_id: int, store_id: int, subject_id: int | None = None) -> bool:
    """Return whether a token was issued for this store, and for this person if one is given."""
    found = AccessToken.filter(token_hash=tokens.hash_token(secret), owner_id=owner_id, store_id=store_id)
    return await (found if subject_id is None else found.filter(subject_id=subject_id)).exists()


async def describe_caller(caller: Caller) -> CallerIdentity:
    """Return the account and scopes of an owner's token, or of an owner on a page. Raises ``NotFound``."""
    row = await sql.fetch_one(
        """SELECT o.id, o.name, o.email, o.plan, o.created_at, t.name AS token_name, t.expires_at, t.last_used_at,
                  (SELECT count(*) FROM core_store s WHERE s.owner_id = o.id) AS stores_count
           FROM core_owner o LEFT JOIN core_access_token t ON t.owner_id = o.id AND t.id = $2
           WHERE o.id = $1""",
        caller.owner_id,
        caller.token_id,
    )
    if row is None:
        raise NotFound
    return sql.to_record(
        CallerIdentity,
        row,
        kind=caller.kind,
        abilities=tuple(sorted(caller.scopes)),
        token=None
        if row["token_name"] is None
        else TokenUse(caller.token_id, row["token_name"], row["expires_at"], row["last_used_at"]),
    )


async def set_plan(owner_id: int, plan: str | None) -> None:
    """Set the code of the plan that an owner is told to have, in the open transaction if there is one."""
    await sql.execute(UPDATE_PLAN, owner_id, plan)


async def set_brand(owner_ids: Sequence[int], name: str | None, email: str | None) -> None:
    """Set whose name pages and e-mails for these owners carry, and whom they may ask; None is the installation's."""
    await sql.execute(UPDATE_BRANDS, owner_ids, name, email)


async def get_names(owner_id: int, owner_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the owner's name by their id."""
    name = await sql.fetch_value("SELECT name FROM core_owner WHERE id = $1", owner_id)
    return dict.fromkeys(owner_ids, str(name))
