"""The logo and the cover of a store."""

import asyncio
from base64 import b64encode

import pytest
from comanda.devkit.testing.stores import Reply
from comanda.platform.db import sql
from comanda.platform.photos import sweep
from photographs import FORM, form, picture

AN_HOUR = 3601


async def set_picture(store, kind, raw):
    path = f"/api/v1/restaurants/{store.id}/pictures/{kind}"
    response = await store.client.post(path, headers={**store.owner.auth, **FORM}, data=form(("photo", "x.jpg", raw)))
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


async def get_sizes(store, url):
    response = await store.client.get(url.removeprefix("http://comanda.test"))
    return response.status_code, response.content_type


async def count_photos(store):
    return await sql.fetch_value("SELECT count(*) FROM core_photo WHERE owner_id = $1", store.owner.id)


@pytest.mark.parametrize("kind", ["logo", "cover"])
async def test_a_picture_is_set_shown_replaced_and_removed(store, kind):
    other = {"logo": "cover", "cover": "logo"}[kind]
    first = await set_picture(store, kind, picture())
    body = {"image_base64": b64encode(picture(colour="blue")).decode()}
    second = await store.send("POST", f"/pictures/{kind}", body)
    settings = (await store.get("/settings")).document

    assert (first.status, second.status) == (201, 201)
    assert first[f"{kind}_url"] != second[f"{kind}_url"]
    assert (settings[f"{kind}_url"], settings[f"{other}_url"]) == (second[f"{kind}_url"], None)
    assert await get_sizes(store, settings[f"{kind}_url"]) == (200, "image/webp")
    for _ in range(2):
        assert (await store.send("DELETE", f"/pictures/{kind}")).status == 204
        assert (await store.get("/settings"))[f"{kind}_url"] is None


async def test_what_is_no_picture_is_refused_and_changes_nothing(store):
    before = (await set_picture(store, "logo", picture()))["logo_url"]

    refused = await set_picture(store, "logo", b"GIF89a")

    assert list(refused.errors) == ["photo"]
    assert (await store.get("/settings"))["logo_url"] == before


@pytest.mark.parametrize("kind", ["banner", "LOGO", "logo_hash"])
async def test_an_unknown_kind_is_not_found(store, kind):
    assert (await set_picture(store, kind, picture())).status == 404
    assert (await store.send("DELETE", f"/pictures/{kind}")).status == 404


async def test_pictures_of_a_store_are_not_swept_and_others_are(store, clock):
    await set_picture(store, "logo", picture())
    await set_picture(store, "cover", picture(colour="blue"))
    clock.advance(seconds=AN_HOUR)
    await sweep.delete_unused_photos()
    assert await count_photos(store) == 2

    await set_picture(store, "cover", picture(colour="green"))
    clock.advance(seconds=AN_HOUR)
    await sweep.delete_unused_photos()

    assert await count_photos(store) == 2
    settings = (await store.get("/settings")).document
    assert await get_sizes(store, settings["logo_url"]) == (200, "image/webp")
    assert await get_sizes(store, settings["cover_url"]) == (200, "image/webp")


async def test_logos_that_are_set_at_once_leave_one_photo(store, clock):
    colours = ("red", "green", "blue", "black", "white", "yellow")
    item = await store.item("Soup")
    path = f"/menu/items/{item['id']}/photos"
    bodies = [{"image_base64": b64encode(picture(colour=colour)).decode()} for colour in colours]

    replies = await asyncio.gather(
        *(set_picture(store, "logo", picture(colour=colour)) for colour in colours),
        *(store.send("POST", path, body) for body in bodies[:2]),
    )
    for photo in (await store.get(f"/menu/items/{item['id']}"))["gallery"]:
        await store.send("DELETE", f"{path}/{photo['id']}")
    clock.advance(seconds=AN_HOUR)
    await sweep.delete_unused_photos()

    assert {reply.status for reply in replies} == {201}
    assert await count_photos(store) == 1
    assert await get_sizes(store, (await store.get("/settings"))["logo_url"]) == (200, "image/webp")


async def test_a_logo_stays_when_an_item_no_longer_shows_it(store, clock):
    url = (await set_picture(store, "logo", picture()))["logo_url"]
    item = await store.item("Soup", gallery=[{"url": url}])
    await store.send("PUT", f"/menu/items/{item['id']}", {"gallery": []})
    clock.advance(seconds=AN_HOUR)

    await sweep.delete_unused_photos()

    assert await get_sizes(store, url) == (200, "image/webp")


async def test_a_photo_of_the_menu_stays_when_it_is_no_longer_the_logo(store, clock):
    url = (await set_picture(store, "logo", picture()))["logo_url"]
    await store.item("Soup", gallery=[{"url": url}])
    await store.send("DELETE", "/pictures/logo")
    clock.advance(seconds=AN_HOUR)

    await sweep.delete_unused_photos()

    assert await get_sizes(store, url) == (200, "image/webp")
