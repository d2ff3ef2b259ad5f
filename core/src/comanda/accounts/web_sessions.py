"""Web sessions: people who are signed in on pages, by a secret that their browser keeps in a cookie.

A session is another credential than an access token: no API route accepts it, so no request that a foreign page sends
can reach the API with it. Pages read it with ``comanda.web.sign_in.sessions``.

The secret names its owner and is stored as its hash alone. Each sign-in creates a session with a secret of its own, so
that nobody can sign a person in to a session that they know. A session ends ``IDLE_LIFETIME`` after its last use and
at the latest after its whole lifetime, with the token that it was opened with, when the owner is suspended, and when
the password changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import asyncpg

from comanda.accounts import tokens
from comanda.basics import clock
from comanda.basics.errors import NotFound
from comanda.basics.owner_prefix import add_owner_prefix, parse_owner_prefix
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

# The prefix by which logs mask secrets and scanners of secrets find them.
PREFIX: Final = "ses_"
IDLE_LIFETIME: Final = timedelta(days=14)
MAX_LIFETIME: Final = timedelta(days=30)
MAX_NAME_LENGTH: Final = 100
# How long after signing in, or confirming, a person may use pages that ask for it again.
RECENT_SIGN_IN: Final = timedelta(minutes=10)
# Precision to the hour costs one write an hour instead of one per page.
LAST_USE_PRECISION: Final = timedelta(hours=1)

INSERT_SESSION: Final = """
    WITH inserted AS (
    INSERT INTO core_web_session (owner_id, kind, secret_hash, name, store_id, subject_id, token_id, scopes, created_at,
        last_used_at, expires_at, ends_at, authenticated_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, coalesce(t.created_at, $9)
    FROM (SELECT 1) AS one LEFT JOIN core_access_token t ON t.id = $7 AND t.owner_id = $1
    RETURNING id, owner_id, kind, store_id, subject_id, scopes, name, created_at, last_used_at, expires_at,
        authenticated_at)
    SELECT i.id, i.owner_id, i.kind, i.store_id, i.subject_id, i.scopes, i.name, i.created_at, i.last_used_at,
        i.expires_at, i.authenticated_at, o.is_administrator AND i.kind = 'owner' AS is_administrator,
        o.name AS owner_name, o.email AS owner_email, o.xmin AS owner_version, o.brand_name, o.brand_email
    FROM inserted i JOIN core_owner o ON o.id = i.owner_id
"""
# The session of a suspended owner is refused, and not deleted: it goes on with the owner. A token's scopes may have
# changed since it opened the session.
SELECT_SESSION: Final = """
    SELECT s.id, s.owner_id, s.kind, s.store_id, s.subject_id, coalesce(t.scopes, s.scopes) AS scopes, s.name,
        s.created_at, s.last_used_at, s.expires_at, s.ends_at, s.authenticated_at,
        o.is_administrator AND s.kind = 'owner' AS is_administrator,
        o.name AS owner_name, o.email AS owner_email, o.xmin AS owner_version, o.brand_name, o.brand_email
    FROM core_web_session s JOIN core_owner o ON o.id = s.owner_id
    LEFT JOIN core_access_token t ON t.id = s.token_id AND t.owner_id = s.owner_id
    WHERE s.owner_id = $1 AND s.secret_hash = $2 AND s.expires_at > $3 AND NOT o.is_suspended
        AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $3)
"""
SELECT_SESSIONS_OF: Final = """
    SELECT s.id, s.owner_id, s.kind, s.store_id, s.subject_id, s.scopes, s.name, s.created_at, s.last_used_at,
        s.expires_at, s.ends_at, s.authenticated_at,
        o.is_administrator AND s.kind = 'owner' AS is_administrator,
        o.name AS owner_name, o.email AS owner_email, o.xmin AS owner_version, o.brand_name, o.brand_email
    FROM core_web_session s JOIN core_owner o ON o.id = s.owner_id
    WHERE s.owner_id = $1 AND s.kind = $2 AND s.subject_id IS NOT DISTINCT FROM $3 AND s.expires_at > $4
    ORDER BY s.id DESC
"""
UPDATE_LAST_USE: Final = """
    UPDATE core_web_session SET last_used_at = $3, expires_at = $4 WHERE id = $1 AND owner_id = $2
"""
RENEW_SESSION: Final = """
    UPDATE core_web_session SET secret_hash = $3, authenticated_at = $4
    WHERE owner_id = $1 AND id = $2 AND expires_at > $4 RETURNING id
"""
DELETE_SESSION: Final = "DELETE FROM core_web_session WHERE owner_id = $1 AND id = $2"
DELETE_SESSIONS_OF: Final = """
    DELETE FROM core_web_session
    WHERE owner_id = $1 AND kind = $2 AND subject_id IS NOT DISTINCT FROM $3 AND id IS DISTINCT FROM $4
"""
UPDATE_SCOPES: Final = """
    UPDATE core_web_session SET scopes = $4 WHERE owner_id = $1 AND kind = $2 AND subject_id = $3
"""
DELETE_NAMES: Final = """
    UPDATE core_web_session SET name = '' WHERE owner_id = $1 AND kind = $2 AND subject_id = $3
"""
DELETE_EXPIRED_SESSIONS: Final = "DELETE FROM core_web_session WHERE expires_at <= $1"


@dataclass(frozen=True, slots=True)
class WebSession:
    """A signed-in person: an owner, or the member of staff ``subject_id``.

    Forms carry ``csrf_token``, which only pages of this session contain; it says nothing about the cookie's secret.
    ``authenticated_at`` is when the person last proved who they are; ``is_administrator`` says that they are the owner
    and may administer the installation.
    """

    id: int
    owner_id: int
    kind: str
    store_id: int | None
    subject_id: int | None
    scopes: frozenset[str]
    name: str
    csrf_token: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    authenticated_at: datetime
    is_administrator: bool
    owner_name: str
    owner_email: str
    owner_version: int
    brand_name: str | None
    brand_email: str | None

    @property
    def is_recent(self) -> bool:
        """Return whether the person has proved who they are shortly before, as sensitive pages ask for."""
        return clock.now() - self.authenticated_at < RECENT_SIGN_IN

    @property
    def caller(self) -> Caller:
        """Return the person as a caller of services. No token stands behind it, so its ``token_id`` is 0."""
        return Caller(
            self.kind, 0, self.owner_id, self.store_id, self.subject_id, self.scopes, self.expires_at,
            owner_version=self.owner_version,
        )  # fmt: skip


async def create_session(
    *,
    owner_id: int,
    kind: str = "owner",
    store_id: int | None = None,
    subject_id: int | None = None,
    token_id: int | None = None,
    scopes: Sequence[str] = ("*",),
    name: str = "",
    lifetime: timedelta = MAX_LIFETIME,
) -> tuple[str, WebSession]:
    """Create a session and return the secret for the cookie, and the session.

    ``lifetime`` is the longest; an unused session expires after ``IDLE_LIFETIME``. ``name`` says where the person is
    signed in, such as the browser's. A session with ``token_id`` has that token's scopes, also those that it gets
    later, and ends with it. Raises ``NotFound`` if there is no such owner, store or token.
    """
    random = tokens.generate_token("")
    moment = clock.now()
    ends_at = moment + min(lifetime, MAX_LIFETIME)
    expires_at = min(moment + IDLE_LIFETIME, ends_at)
    name = name[:MAX_NAME_LENGTH]
    secret = PREFIX + add_owner_prefix(owner_id, random)
    values = (kind, tokens.hash_token(secret), name, store_id, subject_id, token_id, list(scopes), moment)
    try:
        row = await sql.one(INSERT_SESSION, owner_id, *values, expires_at, ends_at)
    except asyncpg.ForeignKeyViolationError as error:
        raise NotFound(f"There is no owner {owner_id} with that store and token.") from error
    return secret, await _to_session(row, expires_at)


async def find_session(secret: str, *, of_customer: bool = False) -> WebSession | None:
    """Return the session of a cookie's secret, and extend it; None if it has ended or its owner is suspended.

    The session of a customer is found with ``of_customer`` alone, for it opens the pages of no account.
    """
    owner_id = _parse_owner(secret)
    if owner_id is None:
        return None
    moment = clock.now()
    row = await sql.fetch_one(SELECT_SESSION, owner_id, tokens.hash_token(secret), moment)
    if row is None or _is_of_customer(row["kind"]) is not of_customer:
        return None
    expires_at: datetime = row["expires_at"]
    if moment - row["last_used_at"] >= LAST_USE_PRECISION:
        expires_at = min(moment + IDLE_LIFETIME, row["ends_at"])
        await sql.execute(UPDATE_LAST_USE, row["id"], owner_id, moment, expires_at)
    return await _to_session(row, expires_at)


async def list_sessions(owner_id: int, kind: str, subject_id: int | None = None) -> list[WebSession]:
    """List where an owner, or a member of the owner's staff, is signed in, newest first."""
    rows = await sql.fetch(SELECT_SESSIONS_OF, owner_id, kind, subject_id, clock.now())
    return [await _to_session(row, row["expires_at"]) for row in rows]


async def renew_session(session: WebSession) -> str:
    """Record that the person has proved again who they are, and return a new secret of the session.

    The secret before is worth nothing afterwards; the session's forms stay good. Raises ``NotFound`` if the session has
    ended.
    """
    secret = PREFIX + add_owner_prefix(session.owner_id, tokens.generate_token(""))
    hashed = tokens.hash_token(secret)
    if await sql.fetch_value(RENEW_SESSION, session.owner_id, session.id, hashed, clock.now()) is None:
        raise NotFound
    return secret


async def end_session(owner_id: int, session_id: int) -> None:
    """End a session. One that has ended already, or is another owner's, is none."""
    await sql.execute(DELETE_SESSION, owner_id, session_id)


async def end_sessions_of(
    owner_id: int, kind: str, subject_id: int | None = None, *, except_id: int | None = None
) -> int:
    """End all sessions of an owner, or of a member of staff, except ``except_id``; return how many."""
    return await sql.execute(DELETE_SESSIONS_OF, owner_id, kind, subject_id, except_id)


async def update_scopes(owner_id: int, kind: str, subject_id: int, granted: Sequence[str]) -> None:
    """Update the scopes of all sessions of a person."""
    await sql.execute(UPDATE_SCOPES, owner_id, kind, subject_id, list(granted))


async def delete_names(owner_id: int, kind: str, subject_id: int) -> None:
    """Delete the names of a person's sessions, which describe their browsers."""
    await sql.execute(DELETE_NAMES, owner_id, kind, subject_id)


async def delete_expired_sessions() -> int:
    """Delete sessions that have expired and return how many."""
    return await sql.execute(DELETE_EXPIRED_SESSIONS, clock.now())


def _parse_owner(secret: str) -> int | None:
    """Return the owner whom a secret names, or None for text that is no secret, so that noise costs no query."""
    length = tokens.RANDOM_LENGTH + tokens.CHECKSUM_LENGTH
    body = secret.removeprefix(PREFIX)
    if body == secret or not tokens.is_well_formed(body[-length:], ""):
        return None
    return parse_owner_prefix(body, length)


def _is_of_customer(kind: str) -> bool:
    known = runtime.registry().caller_kinds.get(kind)
    return known is not None and known.is_customer


async def _to_session(row: sql.Row, expires_at: datetime) -> WebSession:
    return sql.to_record(
        WebSession,
        row,
        scopes=frozenset(row["scopes"]),
        csrf_token=await _derive_csrf_token(row["owner_id"], row["id"]),
        expires_at=expires_at,
    )


async def _derive_csrf_token(owner_id: int, session_id: int) -> str:
    return (await hmac_digest.hmac_digest("web_session.csrf", str(owner_id), str(session_id))).hex()
