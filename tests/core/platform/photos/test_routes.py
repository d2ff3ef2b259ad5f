"""Public photo files."""

from io import BytesIO

from comanda.devkit.testing.stores import Reply
from comanda.platform.db import sql
from photographs import FORM, form, picture, with_exif
from PIL import Image


async def upload(store, item, raw, *texts):
    path = f"/api/v1/restaurants/{store.id}/menu/items/{item['id']}/photos"
    parts = [("photo", "x.jpg", raw), *((name, None, text.encode()) for name, text in texts)]
    response = await store.client.post(path, headers={**store.owner.auth, **FORM}, data=form(*parts))
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


async def seen(store, url, method="GET", **headers):
    assert url.startswith("http://comanda.test/photos/")
    spelled = {name.replace("_", "-"): value for name, value in headers.items()}
    return await store.client.open(url.removeprefix("http://comanda.test"), method=method, headers=spelled)


async def test_photo_sizes_are_public_and_cached_for_a_year(store):
    made = await upload(store, await store.item("Soup"), with_exif(size=(2000, 1000)))

    for size in made["sizes"]:
        response = await seen(store, size["url"])
        data = await response.get_data()
        assert (response.status_code, response.content_type) == (200, "image/webp")
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert Image.open(BytesIO(data)).size == (size["width"], size["height"])
        assert b"SecretCamera" not in data
        again = await seen(store, size["url"], If_None_Match=response.headers["ETag"])
        assert (again.status_code, await again.get_data()) == (304, b"")
        assert again.headers["Cache-Control"] == response.headers["Cache-Control"]
        head = await seen(store, size["url"], "HEAD")
        assert (head.status_code, await head.get_data()) == (200, b"")


async def test_a_width_that_a_photo_lacks_is_answered_with_the_next_larger_one(store):
    made = await upload(store, await store.item("Soup"), picture(size=(500, 300)))
    address = made["url"].rpartition("-")[0]

    answered = {}
    for width in (160, 320, 640, 1280):
        response = await seen(store, f"{address}-{width}.webp")
        answered[width] = Image.open(BytesIO(await response.get_data())).size

    assert answered == {160: (160, 96), 320: (320, 192), 640: (500, 300), 1280: (500, 300)}
    for width in (0, 161, 400, 2560):
        assert (await seen(store, f"{address}-{width}.webp")).status_code == 404, width


async def test_photos_do_not_count_towards_rate_limits(store):
    made = await upload(store, await store.item("Soup"), picture())

    response = await seen(store, made["url"])

    assert "X-RateLimit-Remaining" not in response.headers


async def test_unknown_photo_is_404(store, other_owner):
    made = await upload(store, await store.item("Soup"), picture())
    name = made["url"].rpartition("/")[2]
    elsewhere = await other_owner.store()

    for path in (
        f"/photos/{elsewhere}/{name}", f"/photos/987654321/{name}", f"/photos/{store.id}/{name[:64]}-41.webp",
        f"/photos/{store.id}/{'0' * 64}-40.webp", f"/photos/{store.id}/x.webp", f"/photos/{store.id}/..%2f{name}",
        f"/photos/x/{name}", f"/photos/{store.id}/{name.upper()}",
    ):  # fmt: skip
        assert (await store.client.get(path)).status_code == 404, path
    assert (await seen(store, made["url"])).status_code == 200


async def test_suspended_owners_photos_are_404(store, owner):
    made = await upload(store, await store.item("Soup"), picture())

    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await seen(store, made["url"])).status_code == 404
