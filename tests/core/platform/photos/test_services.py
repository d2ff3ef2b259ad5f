"""Storage of photos."""

import pytest
from comanda.basics import clock as clock_module
from comanda.platform.db import sql
from comanda.platform.photos import services
from comanda.platform.photos.pictures import Picture
from comanda.platform.photos.urls import to_file_name

PICTURES = [Picture(320, 200, b"small"), Picture(640, 400, b"large")]


@pytest.fixture(autouse=True)
async def _nothing_left(app):
    """Sweep what other tests left first."""
    await sql.execute("UPDATE core_photo SET unused_since = NULL")


async def photos(owner):
    return await sql.fetch(
        "SELECT id, hash, is_stored, unused_since FROM core_photo WHERE owner_id = $1 ORDER BY id", owner.id
    )


async def test_a_photo_is_found_again_by_its_content(owner):
    first = await services.store_photo(owner.id, PICTURES)
    second = await services.store_photo(owner.id, PICTURES)
    other = await services.store_photo(owner.id, [Picture(320, 200, b"other")])

    assert first == second != other
    (photo, _) = await photos(owner)
    assert await services.read_file(owner.id, to_file_name(photo["hash"], 640)) == b"large"
    assert photo["unused_since"] <= clock_module.now()
