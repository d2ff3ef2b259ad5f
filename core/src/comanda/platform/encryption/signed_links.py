"""Signed links: whoever has one may read what it names, until it expires."""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from comanda.basics import clock
from comanda.basics.errors import require_found
from comanda.basics.owner_prefix import add_owner_prefix, parse_owner_prefix
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

DIGEST_LENGTH: Final = 64
MAX_EXPIRES_LENGTH: Final = 12
# Links change at these intervals and not with every request, so that browsers can cache what they name.
EXPIRY_STEP_SECONDS: Final = 300
SELECT_ACTIVE_OWNER: Final = "SELECT id FROM core_owner WHERE id = $1 AND NOT is_suspended"


@dataclass(frozen=True, slots=True)
class SignedLink:
    """The part of a link after the question mark, and when it expires: up to five minutes after its lifetime."""

    query: str
    expires_at: datetime


async def sign_link(purpose: str, owner_id: int, id: int, lifetime: timedelta) -> SignedLink:
    """Sign a link to an owner's row for a purpose, such as ``"drivers.photo"``."""
    latest = int((clock.now() + lifetime).timestamp())
    expires = latest - latest % EXPIRY_STEP_SECONDS + EXPIRY_STEP_SECONDS
    signature = await _sign(purpose, owner_id, id, str(expires))
    return SignedLink(f"expires={expires}&signature={signature}", datetime.fromtimestamp(expires, UTC))


async def find_link_owner(purpose: str, id: int, expires: str, signature: str) -> int | None:
    """Return the owner of the row that a link names.

    None if the link is forged or has expired, or while the owner is suspended.
    """
    if not (expires.isascii() and expires.isdigit() and len(expires) <= MAX_EXPIRES_LENGTH and signature.isascii()):
        return None
    owner_id = parse_owner_prefix(signature, DIGEST_LENGTH)
    if owner_id is None or not hmac.compare_digest(signature, await _sign(purpose, owner_id, id, expires)):
        return None
    if int(expires) <= clock.now().timestamp():
        return None
    found: int | None = await sql.fetch_value(SELECT_ACTIVE_OWNER, owner_id)
    return found


async def require_link_owner(purpose: str, id: int, expires: str, signature: str) -> int:
    """Return the owner of the row that a link names. Raises ``NotFound`` where ``find_link_owner`` returns None."""
    return require_found(await find_link_owner(purpose, id, expires, signature))


async def _sign(purpose: str, owner_id: int, id: int, expires: str) -> str:
    digest = await hmac_digest.hmac_digest(purpose, str(owner_id), str(id), expires)
    return add_owner_prefix(owner_id, digest.hex())
