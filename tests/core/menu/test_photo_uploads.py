"""Uploads of photos into item galleries."""

import asyncio

import pytest
from comanda.devkit.testing.stores import Reply, TestStore
from comanda.platform.db import sql
from comanda.platform.photos import services as photos
from comanda.platform.photos.storage.types import StorageUnavailable
from photographs import FORM, HOSTILE, form, picture, with_broken_exif, with_exif


async def upload(store, item, raw, *texts):
    path = f"/api/v1/restaurants/{store.id}/menu/items/{item['id']}/photos"
    parts = [("photo", "x.jpg", raw), *((name, None, text.encode()) for name, text in texts)]
    response = await store.client.post(path, headers={**store.owner.auth, **FORM}, data=form(*parts))
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


async def rows(owner):
    photos = await sql.fetch("SELECT id, hash, is_stored FROM core_photo WHERE owner_id = $1 ORDER BY id", owner.id)
    return [tuple(photo) for photo in photos]


async def test_uploaded_photo_is_in_the_gallery_with_sizes(store, published):
    item = await store.item("Soup", gallery=[{"url": "https://photos.example/a.jpg"}])

    made = await upload(store, item, with_exif(size=(2000, 1000)), ("alt", " A bowl of soup "))

    assert made.status == 201
    assert made["alt"] == "A bowl of soup"
    assert [(size["width"], size["height"]) for size in made["sizes"]] == [
        (160, 320),
        (320, 640),
        (640, 1280),
        (1000, 2000),
    ]
    assert made["url"] == made["sizes"][-1]["url"]
    now = (await store.get(f"/menu/items/{item['id']}")).document
    assert now["gallery"] == [{"url": "https://photos.example/a.jpg", "alt": "Soup"}, made.document]
    assert (await store.public_menu())[0]["items"][0]["gallery"] == now["gallery"]
    assert (await published())[-1][1] == {**(await published())[-1][1], "change": "updated", "id": item["id"]}


async def test_repeated_upload_updates_the_alt_text(store, owner):
    item = await store.item("Soup")
    first = await upload(store, item, picture(), ("alt", "Old"))
    await upload(store, item, picture(colour="blue"))

    second = await upload(store, item, picture(), ("alt", "New"))
    third = await upload(store, item, picture())

    assert (second.status, second["id"], second["alt"], third["alt"]) == (201, first["id"], "New", "New")
    gallery = (await store.get(f"/menu/items/{item['id']}"))["gallery"]
    assert [entry["alt"] for entry in gallery] == ["New", "Soup"]
    assert len(await rows(owner)) == 2


async def test_a_gallery_is_reordered_by_sending_it_back(store):
    item = await store.item("Soup")
    for colour in ("red", "blue"):
        await upload(store, item, picture(colour=colour), ("alt", colour))
    path = f"/menu/items/{item['id']}"
    red, blue = (await store.get(path))["gallery"]

    whole = await store.send("PUT", path, {"gallery": [blue, red]})
    by_url = await store.send("PUT", path, {"gallery": [{"url": red["url"], "alt": "R"}, {"url": blue["url"]}]})
    by_id = await store.send("PUT", path, {"gallery": [{"id": blue["id"], "alt": "B"}]})
    twice = await store.send("PUT", path, {"gallery": [{"id": red["id"]}, {"url": red["url"]}]})

    assert whole["gallery"] == [blue, red]
    assert by_url["gallery"] == [{**red, "alt": "R"}, {**blue, "alt": "Soup"}]
    assert by_id["gallery"] == [{**blue, "alt": "B"}]
    assert list(twice.errors) == ["gallery.1.url"]


async def test_two_items_can_share_a_photo(store):
    soup, stew = await store.item("Soup"), await store.item("Stew")
    made = await upload(store, soup, picture())
    await store.send("PUT", f"/menu/items/{stew['id']}", {"gallery": [{"id": made["id"]}]})

    gone = await store.send("DELETE", f"/menu/items/{soup['id']}/photos/{made['id']}")
    again = await store.send("DELETE", f"/menu/items/{soup['id']}/photos/{made['id']}")

    assert (gone.status, again.status) == (204, 404)
    assert (await store.get(f"/menu/items/{soup['id']}"))["gallery"] == []
    assert [entry["id"] for entry in (await store.get(f"/menu/items/{stew['id']}"))["gallery"]] == [made["id"]]


async def test_another_owners_photo_cannot_be_used(client, store, owner, other_owner):
    theirs = TestStore(client, other_owner, await other_owner.store())
    photo = await upload(theirs, await theirs.item("Pie"), picture())
    item = await store.item("Soup")

    by_id = await store.send("PUT", f"/menu/items/{item['id']}", {"gallery": [{"id": photo["id"]}]})
    by_url = await store.send("PUT", f"/menu/items/{item['id']}", {"gallery": [{"url": photo["url"]}]})

    assert (list(by_id.errors), list(by_url.errors)) == (["gallery.0.id"], ["gallery.0.url"])
    mine = await upload(store, item, picture())
    assert mine["id"] != photo["id"]
    assert len(await rows(owner)) == len(await rows(other_owner)) == 1


@pytest.mark.parametrize("name", [*HOSTILE, "broken exif"])
async def test_invalid_photos_are_refused_and_not_stored(store, owner, name):
    item = await store.item("Soup")
    raw = with_broken_exif() if name == "broken exif" else HOSTILE[name]

    refused = await upload(store, item, raw)

    assert list(refused.errors) == ["photo"]
    assert refused.errors["photo"][0].endswith(".")
    assert (await store.get(f"/menu/items/{item['id']}")).document == item
    assert await rows(owner) == []


async def test_gallery_holds_at_most_ten_pictures(store):
    item = await store.item("Soup", gallery=[{"url": f"https://photos.example/{n}.jpg"} for n in range(8)])

    colours = ("red", "green", "blue", "white")
    replies = await asyncio.gather(*(upload(store, item, picture(colour=colour)) for colour in colours))

    assert sorted(reply.status for reply in replies) == [201, 201, 409, 409]
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"too_many_photos"}
    assert len((await store.get(f"/menu/items/{item['id']}"))["gallery"]) == 10


async def test_failed_storage_leaves_the_gallery_unchanged(store, monkeypatch):
    class Broken:
        async def put(self, *_):
            raise StorageUnavailable

    item = await store.item("Soup")
    monkeypatch.setattr(photos, "get_storage", Broken)

    refused = await upload(store, item, picture())

    assert (refused.status, refused["code"]) == (503, "unavailable")
    assert (await store.get(f"/menu/items/{item['id']}")).document == item
