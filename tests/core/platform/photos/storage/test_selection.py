"""Selection of the photo storage."""

import dataclasses

import pytest
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.photos.storage import selection
from comanda.platform.photos.storage.database import DatabaseStorage
from comanda.platform.photos.storage.selection import FallbackStorage, open_storage


@pytest.mark.usefixtures("app")
async def test_files_in_the_database_are_found_after_a_move(tmp_path):
    await DatabaseStorage().put(7, "old-320.webp", b"old")
    moved = open_storage(f"folder:{tmp_path}")

    assert isinstance(moved, FallbackStorage)
    assert await moved.get(7, "old-320.webp") == b"old"
    await moved.put(7, "new-320.webp", b"new")
    assert (tmp_path / "7" / "ne" / "new-320.webp").read_bytes() == b"new"
    await moved.delete(7, ["old-320.webp", "new-320.webp"])
    assert await DatabaseStorage().get(7, "old-320.webp") is None
    assert await moved.get(7, "new-320.webp") is None


async def test_check_writes_reads_and_deletes_a_file(runtime, tmp_path):
    settings = runtime.settings.model_copy(update={"photo_storage": f"folder:{tmp_path}"})
    runtime_module.use(dataclasses.replace(runtime, settings=settings))
    try:
        assert await selection.check_storage() == f"folder:{tmp_path}"
    finally:
        runtime_module.use(runtime)

    assert await selection.check_storage() == "database"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert await sql.fetch_value("SELECT count(*) FROM core_photo_file WHERE owner_id = 0") == 0
