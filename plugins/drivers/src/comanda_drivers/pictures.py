"""Photos as drivers' phones send them, made into small pictures that tell nothing but what they show; pure."""

from typing import Final

from comanda.photos.pictures import InvalidPicture, Rendering, render

__all__ = ["MAX_BYTES", "InvalidPicture", "small"]

MAX_BYTES: Final = 8 * 1024 * 1024
LONGEST_SIDE: Final = 1600
PROOF: Final = Rendering("JPEG", ((LONGEST_SIDE, LONGEST_SIDE),))


def small(raw: bytes) -> bytes:
    """Turn a photo upright, make it small, and write it anew as JPEG, without what a camera notes beside it.

    Raises ``NotAPicture`` for what is neither JPEG, PNG nor WebP, is damaged, or has too many pixels.
    """
    return render(raw, PROOF)[0].data
