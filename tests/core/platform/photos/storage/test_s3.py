"""Photo storage in S3-compatible services."""

import pytest
from comanda.basics.errors import Unavailable
from comanda.platform.photos.storage import s3 as s3_module
from comanda.platform.photos.storage.s3 import S3Storage
from comanda.platform.photos.storage.selection import open_storage
from comanda.platform.photos.storage.types import StorageUnavailable, parse_address


async def test_object_names_contain_prefix_and_owner(s3, s3_address):
    await open_storage(s3_address).put(7, "ab-320.webp", b"x")

    assert list(s3.objects) == ["/menus/a/b/7/ab-320.webp"]


async def test_wrong_credentials_raise_storage_unavailable(s3, s3_address, monkeypatch):
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
async def test_unreachable_server_raises_unavailable(monkeypatch):
    monkeypatch.setattr(s3_module, "MAX_RETRIES", 0)
    storage = S3Storage(parse_address("s3://menus?endpoint=http://127.0.0.1:9&region=x"))

    with pytest.raises(Unavailable, match="Photos cannot be reached"):
        await storage.get(7, "ab-320.webp")
