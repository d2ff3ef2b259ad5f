"""Signed links to proof photos, valid for about 15 minutes."""

import hmac
from datetime import UTC, datetime, timedelta
from typing import Final

from comanda import clock, runtime
from comanda.contracts.routes import API_PREFIX
from comanda.encryption import hmac_digest

PHOTO_PATH: Final = "/delivery-photos/{id}"
LINK_LIFETIME: Final = timedelta(minutes=15)
# Links change at these intervals and not with every request, so that browsers can cache the photo.
EXPIRY_STEP_SECONDS: Final = 300


async def create_link(photo_id: int) -> tuple[str, datetime]:
    """Return a link to a photo, and its expiry in 15 to 20 minutes."""
    latest = int((clock.now() + LINK_LIFETIME).timestamp())
    expires = latest - latest % EXPIRY_STEP_SECONDS + EXPIRY_STEP_SECONDS
    path = f"{API_PREFIX}{PHOTO_PATH.format(id=photo_id)}"
    query = f"expires={expires}&signature={await _sign(photo_id, expires)}"
    return f"{runtime.settings().site_url}{path}?{query}", datetime.fromtimestamp(expires, UTC)


async def is_valid(photo_id: int, expires: str, signature: str) -> bool:
    """Return whether a link to a photo has a valid signature and has not expired."""
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12 and signature.isascii()):
        return False
    is_signed = hmac.compare_digest(signature, await _sign(photo_id, int(expires)))
    return is_signed and int(expires) > clock.now().timestamp()


async def _sign(photo_id: int, expires: int) -> str:
    return (await hmac_digest.hmac_digest("drivers.photo", str(photo_id), str(expires))).hex()
