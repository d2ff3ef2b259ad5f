"""Public URLs of photos: the store and the content's hash, so the content of a URL never changes."""

import re
from typing import Final

from comanda import runtime

PREFIX: Final = "/photos"
FILE_NAME_PATTERN: Final = re.compile(r"([0-9a-f]{64})-([1-9][0-9]{0,4})\.webp", re.ASCII)
PHOTO_PATH_PATTERN: Final = re.compile(rf"{PREFIX}/[0-9]{{1,19}}/([0-9a-f]{{64}})-[1-9][0-9]{{0,4}}\.webp", re.ASCII)


def to_file_name(photo_hash: str, width: int) -> str:
    """Return the file name of one size, used in its URL and in the storage."""
    return f"{photo_hash}-{width}.webp"


def parse_file_name(name: str) -> tuple[str, int] | None:
    """Return a file's photo hash and width, or None if it is not a photo's file name."""
    found = FILE_NAME_PATTERN.fullmatch(name)
    return (found[1], int(found[2])) if found else None


def to_url(store_id: int, photo_hash: str, width: int) -> str:
    """Return the public URL of one size of a photo."""
    return f"{runtime.settings().site_url}{PREFIX}/{store_id}/{to_file_name(photo_hash, width)}"


def parse_url(url: str) -> str | None:
    """Return the hash of the photo behind a URL of this installation, or None for other URLs."""
    found = PHOTO_PATH_PATTERN.fullmatch(url.removeprefix(runtime.settings().site_url))
    return found[1] if found else None
