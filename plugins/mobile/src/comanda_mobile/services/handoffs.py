"""Handoffs: one-time addresses that open a web session in the web view of a signed-in app.

The address is good for a minute, for one use, for the user agent that it was made for, and for one path of this site.
It names its owner, and is stored as a hash alone.
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Final

from comanda.accounts import web_sessions
from comanda.basics import Forbidden, NotFound, ValidationFailed, add_owner_prefix, clock, parse_owner_prefix
from comanda.contracts import API_PREFIX, Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import parse_local_path

from comanda_mobile.models import Handoff
from comanda_mobile.records import NewHandoff, RedeemedHandoff
from comanda_mobile.services.people import require_person
from comanda_mobile.settings import get_settings

LIFETIME: Final = timedelta(seconds=60)
NONCE_BYTES: Final = 32
# Base64 without padding.
NONCE_LENGTH: Final = 43
# A reader of an address may not try user agents until one fits.
MAX_WRONG_AGENTS: Final = 5
HANDOFF_PATH: Final = "/app/handoff/"
# What a session needs whose pages may do everything that an owner does.
FULL_ACCESS: Final = "*"

REDEEM_NONCE: Final = f"""
    DELETE FROM mobile_handoff
    WHERE owner_id = $1 AND nonce_hash = $2 AND agent_hash = $3 AND expires_at > $4
        AND wrong_agents < {MAX_WRONG_AGENTS}
    RETURNING token_id, path
"""
COUNT_WRONG_AGENT: Final = f"""
    UPDATE mobile_handoff SET wrong_agents = wrong_agents + 1
    WHERE owner_id = $1 AND nonce_hash = $2 AND agent_hash <> $3 AND wrong_agents < {MAX_WRONG_AGENTS}
"""
SELECT_HOLDER: Final = """
    SELECT t.id, t.kind, t.name, t.store_id, t.subject_id, t.scopes, t.expires_at
    FROM core_access_token_v1 t JOIN core_owner_v1 o ON o.id = t.owner_id
    WHERE t.owner_id = $1 AND t.id = $2 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $3)
        AND NOT o.is_suspended
"""
DELETE_EXPIRED: Final = "DELETE FROM mobile_handoff WHERE expires_at <= $1"


async def create_handoff(caller: Caller, path: str | None, user_agent: str) -> NewHandoff:
    """Create an address that opens a web session for the caller and leads to ``path``, or else to the start page.

    Raises ``ValidationFailed`` on ``path`` for anything but a path of this site, ``Unauthenticated`` for a token that
    is no person's, and ``Forbidden`` for an owner's token that may not do everything.
    """
    require_person(caller)
    if caller.kind == "owner" and not caller.may(FULL_ACCESS):
        raise Forbidden(f"This token lacks the scope {FULL_ACCESS}.", extras={"required": FULL_ACCESS})
    target = get_settings().start_path if path is None else _check_path(path)
    nonce = add_owner_prefix(caller.owner_id, secrets.token_urlsafe(NONCE_BYTES))
    moment = clock.now()
    async with sql.transaction():
        await Handoff.create(
            owner_id=caller.owner_id,
            token_id=caller.token_id,
            nonce_hash=_hash(nonce),
            agent_hash=_hash(user_agent),
            path=target,
            expires_at=moment + LIFETIME,
            created_at=moment,
        )
    url = f"{runtime.settings().site_url}{API_PREFIX}{HANDOFF_PATH}{nonce}"
    return NewHandoff(url, int(LIFETIME.total_seconds()))


async def redeem_handoff(nonce: str, user_agent: str, former_session: str | None) -> RedeemedHandoff:
    """Open the web session of an address, and end the one that the browser had before.

    Raises ``NotFound`` for an address that is unknown, used, expired or another user agent's, and for one whose token
    is no longer valid.
    """
    owner_id = parse_owner_prefix(nonce, NONCE_LENGTH) if nonce.isascii() else None
    if owner_id is None:
        raise NotFound
    async with sql.transaction():
        # Deleting the row lets one of several concurrent requests redeem it.
        row = await sql.fetch_one(REDEEM_NONCE, owner_id, _hash(nonce), _hash(user_agent), clock.now())
        redeemed = await _open_session(owner_id, row) if row is not None else None
        if redeemed is not None and former_session:
            await _end_session(former_session)
    if redeemed is None:
        await sql.execute(COUNT_WRONG_AGENT, owner_id, _hash(nonce), _hash(user_agent))
        raise NotFound
    return redeemed


async def delete_expired_handoffs() -> int:
    """Delete addresses that have expired unused and return how many."""
    return await sql.execute(DELETE_EXPIRED, clock.now())


async def _open_session(owner_id: int, handoff: sql.Row) -> RedeemedHandoff | None:
    moment = clock.now()
    token = await sql.fetch_one(SELECT_HOLDER, owner_id, handoff["token_id"], moment)
    if token is None:
        return None
    is_owner = token["kind"] == "owner"
    lifetime = web_sessions.MAX_LIFETIME if token["expires_at"] is None else token["expires_at"] - moment
    secret, _ = await web_sessions.create_session(
        owner_id=owner_id,
        kind=token["kind"],
        store_id=token["store_id"],
        subject_id=None if is_owner else token["subject_id"],
        token_id=token["id"],
        scopes=token["scopes"],
        name=token["name"],
        lifetime=lifetime,
    )
    return RedeemedHandoff(secret, handoff["path"])


async def _end_session(secret: str) -> None:
    session = await web_sessions.find_session(secret)
    if session is not None:
        await web_sessions.end_session(session.owner_id, session.id)


def _check_path(text: str) -> str:
    path = parse_local_path(text)
    if path is None or HANDOFF_PATH in path:
        raise ValidationFailed(path=["Must be a path of this site, such as /app/home."])
    return path


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
