"""Public addresses of photos: a store, and the hash of the content, which therefore never changes under its address."""

import re
from typing import Final

from comanda import runtime

PREFIX: Final = "/photos"
NAME: Final = re.compile(r"([0-9a-f]{64})-([1-9][0-9]{0,4})\.webp", re.ASCII)
PATH: Final = re.compile(rf"{PREFIX}/[0-9]{{1,19}}/([0-9a-f]{{64}})-[1-9][0-9]{{0,4}}\.webp", re.ASCII)


def file_name(photo_hash: str, width: int) -> str:
    """Return the name of one size's file, in its address and where it is kept."""
    return f"{photo_hash}-{width}.webp"


def parse_file_name(name: str) -> tuple[str, int] | None:
    """Return a file's photo and width, or None for what is no such name."""
    found = NAME.fullmatch(name)
    return (found[1], int(found[2])) if found else None


def to_url(store_id: int, photo_hash: str, width: int) -> str:
    """Return the address at which everybody can see one size of a photo."""
    return f"{runtime.settings().site_url}{PREFIX}/{store_id}/{file_name(photo_hash, width)}"


def parse_url(url: str) -> str | None:
    """Return the hash of the photo that an address of this installation shows, or None for other addresses."""
    found = PATH.fullmatch(url.removeprefix(runtime.settings().site_url))
    return found[1] if found else None
