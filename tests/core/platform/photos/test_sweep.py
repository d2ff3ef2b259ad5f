"""Deletion of unused photos."""

import pytest
from comanda.platform.db import sql
from comanda.platform.photos import services, sweep
from comanda.platform.photos.pictures import Picture
from comanda.platform.photos.storage import selection
from comanda.platform.photos.storage.types import StorageUnavailable

HOUR = 3601


PICTURES = [Picture(320, 200, b"small"), Picture(640, 400, b"large")]


@pytest.fixture(autouse=True)
async def _nothing_left(app):
    """Sweep what other tests left first."""
    await sql.execute("UPDATE core_photo SET unused_since = NULL")


async def photos(owner):
    return await sql.fetch(
        "SELECT id, hash, is_stored, unused_since FROM core_photo WHERE owner_id = $1 ORDER BY id", owner.id
    )


async def files(owner):
    found = await sql.fetch("SELECT name FROM core_photo_file WHERE owner_id = $1 ORDER BY name", owner.id)
    return [row["name"] for row in found]


async def shown(store, photo_id, name="Soup"):
    return await store.item(name, gallery=[{"id": photo_id}])


async def test_unused_photo_is_deleted_after_an_hour(owner, clock):
    await services.store_photo(owner.id, PICTURES)

    early = await sweep.delete_unused_photos()
    assert (early, len(await photos(owner)), len(await files(owner))) == (0, 1, 2)
    clock.advance(seconds=HOUR)
    late = await sweep.delete_unused_photos()

    assert (late, await photos(owner), await files(owner)) == (1, [], [])


async def test_a_photo_in_a_gallery_stays(store, owner, clock):
    await shown(store, await services.store_photo(owner.id, PICTURES))

    clock.advance(days=400)

    assert await sweep.delete_unused_photos() == 0
    assert len(await files(owner)) == 2


@pytest.mark.parametrize("way", ["replaced", "deleted", "item deleted"])
async def test_photo_removed_from_gallery_is_deleted_after_an_hour(store, owner, clock, way):
    photo_id = await services.store_photo(owner.id, PICTURES)
    item = await shown(store, photo_id)
    clock.advance(days=1)
    path = f"/menu/items/{item['id']}"

    match way:
        case "replaced":
            await store.send("PUT", path, {"gallery": []})
        case "deleted":
            await store.send("DELETE", f"{path}/photos/{photo_id}")
        case "item deleted":
            await store.send("DELETE", path)

    assert await sweep.delete_unused_photos() == 0
    clock.advance(seconds=HOUR)
    assert await sweep.delete_unused_photos() == 1
    assert await files(owner) == []


async def test_a_photo_that_another_item_shows_stays(store, owner, clock):
    photo_id = await services.store_photo(owner.id, PICTURES)
    first, second = await shown(store, photo_id), await shown(store, photo_id, "Stew")

    await store.send("DELETE", f"/menu/items/{first['id']}")
    clock.advance(seconds=HOUR)

    assert await sweep.delete_unused_photos() == 0
    assert len((await store.get(f"/menu/items/{second['id']}"))["gallery"]) == 1
    assert len(await files(owner)) == 2


async def test_a_photo_put_back_within_the_hour_stays(store, owner, clock):
    photo_id = await services.store_photo(owner.id, PICTURES)
    item = await shown(store, photo_id)
    path = f"/menu/items/{item['id']}"

    await store.send("PUT", path, {"gallery": []})
    clock.advance(minutes=30)
    await store.send("PUT", path, {"gallery": [{"id": photo_id}]})
    clock.advance(seconds=HOUR)

    assert await sweep.delete_unused_photos() == 0
    assert (await photos(owner))[0]["unused_since"] is None


class Killed(BaseException):
    """What a test dies of where a process would be killed."""


async def test_interrupted_upload_leaves_no_visible_photo(owner, clock, monkeypatch):
    storage, written = selection.get_storage(), []

    async def dies(self, owner_id, name, content):
        if written:
            raise Killed
        written.append(name)

    monkeypatch.setattr(type(storage), "put", dies)
    with pytest.raises(Killed):
        await services.store_photo(owner.id, PICTURES)
    monkeypatch.undo()

    (photo,) = await photos(owner)
    assert photo["is_stored"] is False
    clock.advance(seconds=HOUR)
    assert await sweep.delete_unused_photos() == 1
    assert await photos(owner) == []


async def test_interrupted_sweep_leaves_an_unusable_photo(store, owner, clock, monkeypatch):
    photo_id = await services.store_photo(owner.id, PICTURES)
    clock.advance(seconds=HOUR)

    async def dies(self, owner_id, names):
        await sql.execute("SELECT 1")
        raise Killed

    monkeypatch.setattr(type(selection.get_storage()), "delete", dies)
    with pytest.raises(Killed):
        await sweep.delete_unused_photos()
    monkeypatch.undo()

    category = await store.category()
    body = {"name": "Soup", "price": 1, "category_id": category, "gallery": [{"id": photo_id}]}
    refused = await store.send("POST", "/menu/items", body)
    assert list(refused.errors) == ["gallery.0.id"]
    # Uploaded again it is whole, even where the sweep had deleted a file of it.
    again = await services.store_photo(owner.id, PICTURES)
    await shown(store, again)
    clock.advance(seconds=HOUR)
    assert await sweep.delete_unused_photos() == 0
    assert len(await files(owner)) == 2


async def test_unavailable_storage_is_swept_later(owner, clock, monkeypatch):
    await services.store_photo(owner.id, PICTURES)
    clock.advance(seconds=HOUR)

    async def away(self, owner_id, names):
        raise StorageUnavailable

    monkeypatch.setattr(type(selection.get_storage()), "delete", away)
    with pytest.raises(StorageUnavailable):
        await sweep.delete_unused_photos()
    monkeypatch.undo()

    assert len(await photos(owner)) == 1
    assert await sweep.delete_unused_photos() == 1
    assert await photos(owner) == []
