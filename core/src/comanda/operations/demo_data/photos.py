"""Photos of the demo's items: files of a package, already in the sizes in which they are shown.

They are drawings, made by ``python -m comanda.devkit.drawings``. Nothing is decoded or scaled when a demo is created.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

import structlog

from comanda.contracts.requests.callers import Caller
from comanda.platform.photos.pictures import Picture
from comanda.platform.photos.services import store_photo
from comanda.platform.photos.storage.types import StorageUnavailable

log = structlog.get_logger(__name__)

DEMO_WIDTH: Final = 800
DEMO_HEIGHT: Final = 600
THUMBNAIL_WIDTH: Final = 320


class DemoPhotos:
    """The photos in the folder ``photos`` of a package, for one demo store; each is stored once.

    A photo is named after its item, such as ``house-red`` for House red. ``more`` are further ones of an item.
    """

    def __init__(self, package: str, more: Mapping[str, Sequence[str]] | None = None) -> None:
        self._folder = files(package) / "photos"
        self._more = more or {}
        self._stored: dict[str, int] = {}

    def list_names(self, item: Mapping[str, Any]) -> list[str]:
        """Return the photos of an item: those in its key ``photos``, or else the one that is named after it."""
        name = item["name"]
        names = [*(item.get("photos") or [to_slug(name)]), *self._more.get(name, ())]
        return [each for each in names if (self._folder / to_photo_name(each, DEMO_WIDTH)).is_file()]

    async def create_gallery(self, caller: Caller, item: Mapping[str, Any]) -> list[dict[str, int]]:
        """Return the gallery of an item for its body; empty if photos cannot be stored."""
        try:
            return [{"id": await self._store_photo(caller, name)} for name in self.list_names(item)]
        except StorageUnavailable as error:
            log.warning("demo_photos_not_stored", reason=str(error))
            return []

    async def _store_photo(self, caller: Caller, name: str) -> int:
        if name not in self._stored:
            pictures = [self._read(name, width) for width in (THUMBNAIL_WIDTH, DEMO_WIDTH)]
            self._stored[name] = await store_photo(caller.owner_id, pictures)
        return self._stored[name]

    def _read(self, name: str, width: int) -> Picture:
        file = self._folder / to_photo_name(name, width)
        return Picture(width, width * DEMO_HEIGHT // DEMO_WIDTH, file.read_bytes())


def to_slug(name: str) -> str:
    """Return a name as it stands in file names, such as ``ragu-of-the-house``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def to_photo_name(name: str, width: int) -> str:
    """Return the file name of a photo in one width."""
    return f"{name}-{width}.webp"
