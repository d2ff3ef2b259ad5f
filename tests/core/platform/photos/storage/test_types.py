"""The promises that every photo storage keeps, and the setting that names one."""

import pytest
from comanda.platform.db import sql
from comanda.platform.photos.storage.database import DatabaseStorage
from comanda.platform.photos.storage.folder import FolderStorage
from comanda.platform.photos.storage.s3 import S3Storage
from comanda.platform.photos.storage.types import parse_address


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


async def test_file_written_again_is_overwritten(storage):
    await storage.put(7, "ab-320.webp", b"old")
    await storage.put(7, "ab-320.webp", b"new")

    assert await storage.get(7, "ab-320.webp") == b"new"
    await storage.delete(7, ["ab-320.webp"])
    assert await storage.get(7, "ab-320.webp") is None


async def test_missing_file_is_none(storage):
    assert await storage.get(7, "never-1.webp") is None
    await storage.delete(7, ["never-1.webp", "never-2.webp"])


async def test_files_are_isolated_between_owners(storage):
    await storage.put(7, "ab-320.webp", b"seven")
    await storage.put(8, "ab-320.webp", b"eight")

    await storage.delete(7, ["ab-320.webp"])

    assert await storage.get(7, "ab-320.webp") is None
    assert await storage.get(8, "ab-320.webp") == b"eight"


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
def test_invalid_address_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse_address(text)
