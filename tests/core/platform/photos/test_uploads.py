"""Photos in requests."""

from base64 import b64encode

from comanda.platform.db import sql
from photographs import FORM, form, picture


async def rows(owner):
    photos = await sql.fetch("SELECT id, hash, is_stored FROM core_photo WHERE owner_id = $1 ORDER BY id", owner.id)
    return [tuple(photo) for photo in photos]


async def test_base64_in_json_is_accepted(store):
    item = await store.item("Soup")
    body = {"image_base64": "data:image/png;base64," + b64encode(picture("PNG")).decode(), "alt": "Red"}

    made = await store.send("POST", f"/menu/items/{item['id']}/photos", body)

    assert (made.status, made["alt"]) == (201, "Red")


async def test_invalid_forms_and_large_photos_are_refused(store, owner):
    item = await store.item("Soup")
    path = f"/api/v1/restaurants/{store.id}/menu/items/{item['id']}/photos"
    right = form(("photo", "x.jpg", picture()))
    tries = {
        "no boundary": (right, "multipart/form-data"),
        "another boundary": (right, "multipart/form-data; boundary=yy"),
        "cut": (right[:40], FORM["Content-Type"]),
        "another part": (form(("image", "x.jpg", picture())), FORM["Content-Type"]),
        "many parts": (form(*[("photo", "x.jpg", b"x")] * 50), FORM["Content-Type"]),
        "a long alt": (form(("photo", "x.jpg", picture()), ("alt", None, b"x" * 501)), FORM["Content-Type"]),
        "a bare picture": (picture(), "image/jpeg"),
        "too large": (form(("photo", "x.jpg", b"\xff\xd8\xff" + b"x" * 8_388_608)), FORM["Content-Type"]),
        "nothing": (b"", FORM["Content-Type"]),
    }

    answers = {}
    for name, (body, kind) in tries.items():
        response = await store.client.post(path, headers={**store.owner.auth, "Content-Type": kind}, data=body)
        answers[name] = response.status_code

    assert answers == {
        "no boundary": 400, "another boundary": 400, "cut": 400, "another part": 422, "many parts": 400,
        "a long alt": 422, "a bare picture": 415, "too large": 422, "nothing": 400,
    }  # fmt: skip
    assert await rows(owner) == []
