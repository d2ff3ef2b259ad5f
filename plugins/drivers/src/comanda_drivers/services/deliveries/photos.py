"""Reduction of proof photos to small pictures without metadata; pure."""

from typing import Final

from comanda.platform.photos import InvalidPicture, Rendering, render

__all__ = ["MAX_BYTES", "InvalidPicture", "resize_photo"]

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_SIDE_PIXELS: Final = 1600
PROOF_RENDERING: Final = Rendering("JPEG", ((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS),))


def resize_photo(raw: bytes) -> bytes:
    """Rotate a photo upright, resize it, and encode it as JPEG without its metadata.

    Raises ``NotAPicture`` if it is not JPEG, PNG or WebP, is damaged, or has too many pixels.
    """
    return render(raw, PROOF_RENDERING)[0].data
