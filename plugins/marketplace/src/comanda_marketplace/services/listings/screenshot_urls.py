"""Public URLs of screenshots: the app and the content's hash, so that the content of a URL never changes."""

from typing import Final

from comanda.platform import runtime

from comanda_marketplace.models import Screenshot
from comanda_marketplace.records import Picture

PREFIX: Final = "/app-screenshots"


def to_file_name(screenshot_hash: str, width: int) -> str:
    """Return the name of one size, in URLs and in the storage of photos."""
    return f"app-{screenshot_hash}-{width}.webp"


def to_picture(row: Screenshot) -> Picture:
    """Return a row as a record."""
    largest = row.sizes[-1]
    name = to_file_name(row.hash, largest["width"])
    url = f"{runtime.settings().site_url}{PREFIX}/{row.app_id}/{name}"
    return Picture(row.id, url, largest["width"], largest["height"], row.alt)
