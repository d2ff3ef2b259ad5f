"""The hosts of photos: those of other hosts load only when a guest requests them.

A guest's browser must not call other servers unasked, which would learn who reads which menu.
"""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from comanda.platform import runtime

# An origin that is safe in a Content-Security-Policy: it cannot end the directive or begin another.
PHOTO_ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")


def is_usable_photo(url: str) -> bool:
    """Return whether a photo can be shown: of this installation, or of an origin that a policy can name."""
    origin = _get_origin(url)
    return origin is not None and (not _is_other(origin) or PHOTO_ORIGIN.fullmatch(origin) is not None)


def is_remote(url: str) -> bool:
    """Return whether a photo is on another host."""
    origin = _get_origin(url)
    return origin is not None and _is_other(origin)


def list_origins(urls: Iterable[str]) -> list[str]:
    """Return the origins of the photos on other hosts, sorted."""
    return sorted({origin for url in urls if (origin := _get_origin(url)) is not None and _is_other(origin)})


def _get_origin(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}"


def _is_other(origin: str) -> bool:
    return urlsplit(origin).netloc != urlsplit(runtime.settings().site_url).netloc
