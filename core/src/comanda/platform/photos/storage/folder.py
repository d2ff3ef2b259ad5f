"""Photo storage in a folder, local or on a network share that all processes use."""

import asyncio
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from comanda.platform.photos.storage.types import StorageUnavailable


class FolderStorage:
    """Storage of files as ``<folder>/<owner>/<first two letters>/<name>``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file completely or not at all; an existing one is overwritten."""
        try:
            await asyncio.to_thread(_write_atomically, self._path(owner_id, name), content)
        except OSError as error:
            raise StorageUnavailable from error

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None if it does not exist."""
        try:
            return await asyncio.to_thread(self._path(owner_id, name).read_bytes)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageUnavailable from error

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; missing ones are ignored."""
        try:
            for name in names:
                await asyncio.to_thread(self._path(owner_id, name).unlink, missing_ok=True)
        except OSError as error:
            raise StorageUnavailable from error

    def _path(self, owner_id: int, name: str) -> Path:
        return self._folder / str(owner_id) / name[:2] / name


def _write_atomically(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written to a temporary file and then renamed, so that no reader or power cut sees half a file.
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
