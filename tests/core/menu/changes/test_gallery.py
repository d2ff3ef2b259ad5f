"""Galleries of items."""

import pytest

OUTSIDE = {"url": "https://photos.example/a.jpg", "alt": "From above"}


async def test_a_gallery_is_shown_as_it_was_written(store):
    gallery = [OUTSIDE, {"url": "http://photos.example/b.jpg"}]
    made = await store.item("Soup", gallery=gallery)

    expected = [OUTSIDE, {"url": "http://photos.example/b.jpg", "alt": "Soup"}]
    assert made["gallery"] == expected
    assert (await store.get("/menu"))[0]["items"][0]["gallery"] == expected
    (guests,) = (await store.public_menu())[0]["items"]
    assert guests["gallery"] == expected
    assert (made["image_url"], guests["image_url"]) == (None, OUTSIDE["url"])


async def test_an_item_without_pictures_has_an_empty_gallery(store):
    made = await store.item("Soup", image_url="https://photos.example/main.jpg")

    assert made["gallery"] == []
    (guests,) = (await store.public_menu())[0]["items"]
    assert (guests["gallery"], guests["image_url"]) == ([], "https://photos.example/main.jpg")


async def test_an_update_replaces_the_whole_gallery(store, published):
    made = await store.item("Soup", gallery=[OUTSIDE, {"url": "https://photos.example/b.jpg"}])
    path = f"/menu/items/{made['id']}"

    kept = await store.send("PUT", path, {"name": "Broth"})
    turned = await store.send("PUT", path, {"gallery": kept["gallery"][::-1]})
    emptied = await store.send("PUT", path, {"gallery": []})

    assert [entry["url"] for entry in kept["gallery"]] == [OUTSIDE["url"], "https://photos.example/b.jpg"]
    assert [entry["url"] for entry in turned["gallery"]] == ["https://photos.example/b.jpg", OUTSIDE["url"]]
    assert emptied["gallery"] == []
    told = [data["change"] for _, data in await published() if data["id"] == made["id"] and data["entity"] == "item"]
    assert told == ["created", "updated", "updated", "updated"]


@pytest.mark.parametrize(
    ("gallery", "field"),
    [
        ([OUTSIDE, {"alt": "x"}], "gallery.1.url"),
        ([{"url": "javascript:alert(1)"}], "gallery.0.url"),
        ([{"url": OUTSIDE["url"], "alt": "x" * 501}], "gallery.0.alt"),
        ([OUTSIDE] * 11, "gallery"),
        ([{"id": 987654321}], "gallery.0.id"),
        ([{"url": f"http://comanda.test/photos/1/{'a' * 64}-320.webp"}], "gallery.0.url"),
    ],
)
async def test_invalid_galleries_are_refused(store, gallery, field):
    made = await store.item("Soup", gallery=[OUTSIDE])

    refused = await store.send("PUT", f"/menu/items/{made['id']}", {"name": "Broth", "gallery": gallery})

    assert list(refused.errors) == [field]
    assert (await store.get(f"/menu/items/{made['id']}")).document == made
