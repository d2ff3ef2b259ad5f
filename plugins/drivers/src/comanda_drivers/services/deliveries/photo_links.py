"""Signed links to proof photos, valid for about 15 minutes."""

from datetime import datetime, timedelta
from typing import Final

from comanda.contracts import API_PREFIX
from comanda.platform import runtime
from comanda.platform.encryption import signed_links

PHOTO_PATH: Final = "/delivery-photos/{id}"
LINK_LIFETIME: Final = timedelta(minutes=15)
PURPOSE: Final = "drivers.photo"


async def create_link(owner_id: int, photo_id: int) -> tuple[str, datetime]:
    """Return a link to a photo, and its expiry in 15 to 20 minutes."""
    link = await signed_links.sign_link(PURPOSE, owner_id, photo_id, LINK_LIFETIME)
    path = f"{API_PREFIX}{PHOTO_PATH.format(id=photo_id)}"
    return f"{runtime.settings().site_url}{path}?{link.query}", link.expires_at


async def find_owner(photo_id: int, expires: str, signature: str) -> int | None:
    """Return the owner of a photo, or None if the link to it is forged or has expired."""
    return await signed_links.find_link_owner(PURPOSE, photo_id, expires, signature)
