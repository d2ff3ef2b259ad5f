"""Photos as proofs of delivery: small pictures without metadata, and links to them that expire."""

from datetime import datetime, timedelta
from typing import Final

from comanda.contracts import API_PREFIX
from comanda.platform import runtime
from comanda.platform.encryption import signed_links
from comanda.platform.photos import InvalidPicture, Rendering, render

PHOTO_PATH: Final = "/delivery-photos/{id}"
LINK_LIFETIME: Final = timedelta(minutes=15)
PURPOSE: Final = "drivers.photo"
__all__ = ["MAX_BYTES", "InvalidPicture", "resize_photo"]

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_SIDE_PIXELS: Final = 1600
PROOF_RENDERING: Final = Rendering("JPEG", ((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS),))


async def create_link(owner_id: int, photo_id: int) -> tuple[str, datetime]:
    """Return a link to a photo, and its expiry in 15 to 20 minutes."""
    link = await signed_links.sign_link(PURPOSE, owner_id, photo_id, LINK_LIFETIME)
    path = f"{API_PREFIX}{PHOTO_PATH.format(id=photo_id)}"
    return f"{runtime.settings().site_url}{path}?{link.query}", link.expires_at


async def find_owner(photo_id: int, expires: str, signature: str) -> int | None:
    """Return the owner of a photo, or None if the link to it is forged or has expired."""
    return await signed_links.find_link_owner(PURPOSE, photo_id, expires, signature)


def resize_photo(raw: bytes) -> bytes:
    """Rotate a photo upright, resize it, and encode it as JPEG without its metadata.

    Raises ``NotAPicture`` if it is not JPEG, PNG or WebP, is damaged, or has too many pixels.
    """
    return render(raw, PROOF_RENDERING)[0].data
