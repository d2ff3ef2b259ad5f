"""The place where this installation keeps its photos."""

import secrets
from collections.abc import Sequence
from functools import lru_cache

from comanda import runtime
from comanda.photos.storage.database import DatabaseStorage
from comanda.photos.storage.folder import FolderStorage
from comanda.photos.storage.types import PhotoStorage, StorageUnavailable, parse_address
from comanda.startup_errors import StartupError


class MovedStorage:
    """A place that took over from the database: what was uploaded before is still found there."""

    def __init__(self, place: PhotoStorage) -> None:
        self._place = place
        self._before = DatabaseStorage()

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file to the new place."""
        await self._place.put(owner_id, name, content)

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file from the new place, or else from the database."""
        found = await self._place.get(owner_id, name)
        return await self._before.get(owner_id, name) if found is None else found

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files in both places."""
        await self._place.delete(owner_id, names)
        await self._before.delete(owner_id, names)


@lru_cache(maxsize=4)
def open_storage(setting: str) -> PhotoStorage:
    """Return the place that the setting names. Raises ``StartupError`` where its library is not installed."""
    address = parse_address(setting)
    if address.kind == "database":
        return DatabaseStorage()
    if address.folder is not None:
        return MovedStorage(FolderStorage(address.folder))
    try:
        from comanda.photos.storage.s3 import S3Storage  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise StartupError("Photos in S3 need another package: install comanda-core[s3].") from error
    return MovedStorage(S3Storage(address))


def current() -> PhotoStorage:
    """Return the place of this process's settings."""
    return open_storage(runtime.settings().photo_storage)


async def check() -> str:
    """Write, read and delete a file, and return where that was. Raises ``StorageUnavailable`` where it fails."""
    storage, name = current(), f"check-{secrets.token_hex(8)}"
    content = secrets.token_bytes(64)
    await storage.put(0, name, content)
    try:
        if await storage.get(0, name) != content:
            raise StorageUnavailable("The place for photos does not return what was written to it.")
    finally:
        await storage.delete(0, [name])
    return runtime.settings().photo_storage.partition("?")[0]
