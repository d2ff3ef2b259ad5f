"""Selection of the photo storage that the settings name."""

import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from comanda.basics.lazy_imports import LazyModule
from comanda.basics.startup_errors import StartupError
from comanda.platform import runtime
from comanda.platform.photos.storage.database import DatabaseStorage
from comanda.platform.photos.storage.folder import FolderStorage
from comanda.platform.photos.storage.types import PhotoStorage, StorageUnavailable, parse_address

if TYPE_CHECKING:
    from comanda.platform.photos.storage import s3
else:
    # Its library is an extra.
    s3 = LazyModule("comanda.platform.photos.storage.s3")


class FallbackStorage:
    """A storage that falls back to the database for photos uploaded before the storage was configured."""

    def __init__(self, storage: PhotoStorage) -> None:
        self._storage = storage
        self._database = DatabaseStorage()

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file to the configured storage."""
        await self._storage.put(owner_id, name, content)

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file from the configured storage, or else from the database."""
        found = await self._storage.get(owner_id, name)
        return await self._database.get(owner_id, name) if found is None else found

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files from both."""
        await self._storage.delete(owner_id, names)
        await self._database.delete(owner_id, names)


@lru_cache(maxsize=4)
def open_storage(setting: str) -> PhotoStorage:
    """Return the storage that a setting names. Raises ``StartupError`` if its library is not installed."""
    address = parse_address(setting)
    if address.kind == "database":
        return DatabaseStorage()
    if address.folder is not None:
        return FallbackStorage(FolderStorage(address.folder))
    try:
        storage = s3.S3Storage
    except ImportError as error:
        raise StartupError("Photos in S3 need another package: install comanda-core[s3].") from error
    return FallbackStorage(storage(address))


def get_storage() -> PhotoStorage:
    """Return the storage that this process is configured to use."""
    return open_storage(runtime.settings().photo_storage)


async def check_storage() -> str:
    """Check the storage by writing, reading and deleting a file; return its address. Raises ``StorageUnavailable``."""
    storage, name = get_storage(), f"check-{secrets.token_hex(8)}"
    content = secrets.token_bytes(64)
    await storage.put(0, name, content)
    try:
        if await storage.get(0, name) != content:
            raise StorageUnavailable("The photo storage does not return what was written to it.")
    finally:
        await storage.delete(0, [name])
    return runtime.settings().photo_storage.partition("?")[0]
