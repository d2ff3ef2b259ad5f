"""Photos as drivers' phones send them, made into small pictures that tell nothing but what they show; pure."""

from typing import Final

from comanda.photos.pictures import NotAPicture, Rendering, render

__all__ = ["MAX_BYTES", "NotAPicture", "resize_photo"]

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_SIDE_PIXELS: Final = 1600
PROOF_RENDERING: Final = Rendering("JPEG", ((MAX_SIDE_PIXELS, MAX_SIDE_PIXELS),))


def resize_photo(raw: bytes) -> bytes:
    """Turn a photo upright, make it small, and write it anew as JPEG, without what a camera notes beside it.

    Raises ``NotAPicture`` for what is neither JPEG, PNG nor WebP, is damaged, or has too many pixels.
    """
    return render(raw, PROOF_RENDERING)[0].data
