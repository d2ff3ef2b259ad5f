"""Each place for photos keeps the same promises: the database, a folder, and S3 that checks signatures."""

import dataclasses

import pytest
from comanda import runtime as runtime_module
from comanda.db import sql
from comanda.errors import Unavailable
from comanda.photos.storage import s3 as s3_module
from comanda.photos.storage import selection
from comanda.photos.storage.database import DatabaseStorage
from comanda.photos.storage.folder import FolderStorage
from comanda.photos.storage.s3 import S3Storage
from comanda.photos.storage.selection import FallbackStorage, open_storage
from comanda.photos.storage.types import StorageUnavailable, parse_address
from s3_server import KEY_ID, REGION, SECRET, s3_server


@pytest.fixture(scope="module")
def s3():
    with s3_server() as server:
        yield server


@pytest.fixture
def s3_address(s3, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    s3.objects.clear()
    return f"s3://menus/a/b?endpoint=http://127.0.0.1:{s3.server_address[1]}&region={REGION}"


@pytest.fixture(params=["database", "folder", "s3"])
async def storage(request, tmp_path, app):
    """Each place in turn, without what `open_storage` puts around it, and a function that lists all files in it."""
    match request.param:
        case "database":
            yield DatabaseStorage()
            await sql.execute("DELETE FROM core_photo_file WHERE owner_id IN (7, 8)")
        case "folder":
            yield FolderStorage(tmp_path / "photos")
        case "s3":
            yield S3Storage(parse_address(request.getfixturevalue("s3_address")))


async def test_a_file_is_found_as_it_was_written(storage):
    content = bytes(range(256)) * 400

    await storage.put(7, "ab-320.webp", content)

    assert await storage.get(7, "ab-320.webp") == content


async def test_a_file_written_again_is_there_once(storage):
    await storage.put(7, "ab-320.webp", b"old")
    await storage.put(7, "ab-320.webp", b"new")

    assert await storage.get(7, "ab-320.webp") == b"new"
    await storage.delete(7, ["ab-320.webp"])
    assert await storage.get(7, "ab-320.webp") is None


async def test_what_is_not_there_is_none(storage):
    assert await storage.get(7, "never-1.webp") is None
    await storage.delete(7, ["never-1.webp", "never-2.webp"])


async def test_files_of_two_owners_have_nothing_to_do_with_each_other(storage):
    await storage.put(7, "ab-320.webp", b"seven")
    await storage.put(8, "ab-320.webp", b"eight")

    await storage.delete(7, ["ab-320.webp"])

    assert await storage.get(7, "ab-320.webp") is None
    assert await storage.get(8, "ab-320.webp") == b"eight"


async def test_objects_have_the_prefix_and_the_owner_in_their_names(s3, s3_address):
    await open_storage(s3_address).put(7, "ab-320.webp", b"x")

    assert list(s3.objects) == ["/menus/a/b/7/ab-320.webp"]


async def test_keys_that_are_wrong_are_a_place_that_refuses(s3, s3_address, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    storage = S3Storage(parse_address(s3_address))

    with pytest.raises(StorageUnavailable):
        await storage.put(7, "ab-320.webp", b"x")
    with pytest.raises(StorageUnavailable):
        await storage.get(7, "ab-320.webp")
    with pytest.raises(StorageUnavailable):
        await storage.delete(7, ["ab-320.webp"])
    assert s3.objects == {}


@pytest.mark.usefixtures("s3_address")
async def test_a_server_that_is_away_is_unavailable(monkeypatch):
    monkeypatch.setattr(s3_module, "MAX_RETRIES", 0)
    storage = S3Storage(parse_address("s3://menus?endpoint=http://127.0.0.1:9&region=x"))

    with pytest.raises(Unavailable, match="Photos cannot be reached"):
        await storage.get(7, "ab-320.webp")


async def test_a_folder_that_cannot_be_written_is_unavailable(tmp_path):
    (tmp_path / "photos").write_text("a file")

    with pytest.raises(StorageUnavailable):
        await FolderStorage(tmp_path / "photos").put(7, "ab-320.webp", b"x")


async def test_a_folder_holds_no_half_file_after_a_failed_write(tmp_path, monkeypatch):
    def fails(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)

    with pytest.raises(StorageUnavailable):
        await FolderStorage(tmp_path).put(7, "ab-320.webp", b"x")

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.usefixtures("app")
async def test_what_the_database_kept_before_a_move_is_still_found_and_deleted(tmp_path):
    await DatabaseStorage().put(7, "old-320.webp", b"old")
    moved = open_storage(f"folder:{tmp_path}")

    assert isinstance(moved, FallbackStorage)
    assert await moved.get(7, "old-320.webp") == b"old"
    await moved.put(7, "new-320.webp", b"new")
    assert (tmp_path / "7" / "ne" / "new-320.webp").read_bytes() == b"new"
    await moved.delete(7, ["old-320.webp", "new-320.webp"])
    assert await DatabaseStorage().get(7, "old-320.webp") is None
    assert await moved.get(7, "new-320.webp") is None


async def test_the_check_writes_reads_and_deletes(runtime, tmp_path):
    settings = runtime.settings.model_copy(update={"photo_storage": f"folder:{tmp_path}"})
    runtime_module.use(dataclasses.replace(runtime, settings=settings))
    try:
        assert await selection.check_storage() == f"folder:{tmp_path}"
    finally:
        runtime_module.use(runtime)

    assert await selection.check_storage() == "database"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert await sql.fetch_value("SELECT count(*) FROM core_photo_file WHERE owner_id = 0") == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("disk", "Photos are kept in"),
        ("folder:photos", "absolute path"),
        ("s3://", "bucket is missing"),
        ("s3://key:secret@bucket/x", "AWS_ACCESS_KEY_ID"),
        ("s3://bucket?endpont=https://x", "Unknown option endpont"),
        ("s3://bucket?endpoint=ftp://x", "https://"),
    ],
)
def test_an_address_that_is_none_is_told_in_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_address(text)
