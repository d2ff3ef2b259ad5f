"""Public URLs of photos: the store and the content's hash, so the content of a URL never changes."""

import re
from typing import TYPE_CHECKING, Final

from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    from comanda.platform import runtime
else:
    # Processes that state their site's URL do without one.
    runtime = LazyModule("comanda.platform.runtime")

PREFIX: Final = "/photos"
# For lists, phones, tablets and high-density screens. Every photo is served in each of them.
MENU_WIDTHS: Final = (160, 320, 640, 1280)
FILE_NAME_PATTERN: Final = re.compile(r"([0-9a-f]{64})-([1-9][0-9]{0,4})\.webp", re.ASCII)
PHOTO_PATH_PATTERN: Final = re.compile(rf"{PREFIX}/[0-9]{{1,19}}/([0-9a-f]{{64}})-[1-9][0-9]{{0,4}}\.webp", re.ASCII)


def to_file_name(photo_hash: str, width: int) -> str:
    """Return the file name of one size, used in its URL and in the storage."""
    return f"{photo_hash}-{width}.webp"


def parse_file_name(name: str) -> tuple[str, int] | None:
    """Return a file's photo hash and width, or None if it is not a photo's file name."""
    found = FILE_NAME_PATTERN.fullmatch(name)
    return (found[1], int(found[2])) if found else None


def to_url(store_id: int, photo_hash: str, width: int, site_url: str | None = None) -> str:
    """Return the public URL of one size of a photo; see ``resize_url`` for its ``site_url``."""
    return f"{site_url or _get_site_url()}{PREFIX}/{store_id}/{to_file_name(photo_hash, width)}"


def resize_url(url: str, width: int, site_url: str | None = None) -> str:
    """Return the URL of a photo in the smallest of ``MENU_WIDTHS`` that is at least ``width``, or in the largest.

    A URL that is no photo of this installation is returned as it is. Processes that do not serve the installation
    state its ``site_url``.
    """
    if parse_url(url, site_url) is None:
        return url
    served = next((each for each in MENU_WIDTHS if each >= width), MENU_WIDTHS[-1])
    return f"{url.rpartition('-')[0]}-{served}.webp"


def to_source_set(url: str, largest: int = MENU_WIDTHS[-1]) -> str:
    """Return the ``srcset`` of a photo, up to a width; empty for a URL that is no photo of this installation."""
    if parse_url(url) is None:
        return ""
    return ", ".join(f"{resize_url(url, width)} {width}w" for width in MENU_WIDTHS if width <= largest)


def parse_url(url: str, site_url: str | None = None) -> str | None:
    """Return the hash of the photo behind a URL of this installation, or None for other URLs."""
    found = PHOTO_PATH_PATTERN.fullmatch(url.removeprefix(site_url or _get_site_url()))
    return found[1] if found else None


def _get_site_url() -> str:
    return runtime.settings().site_url
