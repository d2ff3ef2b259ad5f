"""Photo storage in a folder."""

import pytest
from comanda.platform.photos.storage.folder import FolderStorage
from comanda.platform.photos.storage.types import StorageUnavailable


async def test_read_only_folder_raises_unavailable(tmp_path):
    (tmp_path / "photos").write_text("a file")

    with pytest.raises(StorageUnavailable):
        await FolderStorage(tmp_path / "photos").put(7, "ab-320.webp", b"x")


async def test_failed_write_leaves_no_partial_file(tmp_path, monkeypatch):
    def fails(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)

    with pytest.raises(StorageUnavailable):
        await FolderStorage(tmp_path).put(7, "ab-320.webp", b"x")

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
