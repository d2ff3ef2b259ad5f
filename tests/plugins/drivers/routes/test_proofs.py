"""Uploads of photos as forms and as JSON."""

from base64 import b64encode
from io import BytesIO

import pytest
from comanda_drivers.services.deliveries import photo_links
from photographs import picture
from PIL import Image


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
async def test_photos_of_all_formats_become_jpeg(driver, delivery, client, build_form, kind):
    raw = picture(kind, size=(2400, 1200))
    by_json = await driver.upload_photo(delivery, raw)
    by_form = await driver.upload_form(delivery, build_form(raw))

    assert (by_json.status, by_form.status_code) == (201, 201)
    for answer in (by_json.document, await by_form.get_json()):
        found = await client.get(answer["url"].partition("//")[2].partition("/")[2].join(["/", ""]))
        data = await found.get_data()
        assert (found.status_code, found.content_type, data[:3]) == (200, "image/jpeg", b"\xff\xd8\xff")
        assert "private" in found.headers["Cache-Control"]
        assert Image.open(BytesIO(data)).size == (1600, 800)


async def test_malformed_forms_are_refused(driver, delivery, build_form):
    raw = picture()
    tries = {
        "no boundary": (build_form(raw), "multipart/form-data"),
        "another boundary": (build_form(raw), "multipart/form-data; boundary=yy"),
        "a foreign letter": (build_form(raw), "multipart/form-data; boundary=\u00e9"),
        "cut": (build_form(raw)[:40], "multipart/form-data; boundary=xx"),
        "another part": (build_form(raw, "image"), "multipart/form-data; boundary=xx"),
        "many parts": (build_form(raw)[:-6] * 50 + b"--xx--\r\n", "multipart/form-data; boundary=xx"),
        "no file": (b'--xx\r\nContent-Disposition: form-data; name="photo"\r\n\r\nx\r\n--xx--\r\n',
            "multipart/form-data; boundary=xx"),
        "plain text": (raw, "text/plain"),
        "a bare picture": (raw, "image/jpeg"),
    }  # fmt: skip

    answers = {
        name: (await driver.upload_form(delivery, body, kind=kind)).status_code for name, (body, kind) in tries.items()
    }

    assert set(answers.values()) <= {400, 415, 422}, answers
    assert (await driver.upload_photo(delivery, b"x" * (photo_links.MAX_BYTES + 1))).status in {413, 422}
    reply = await driver.send("POST", f"/deliveries/{delivery['id']}/pod-photo", {"image_base64": "\u00e9 no"})
    assert list(reply.errors) == ["image_base64"]


async def test_photo_may_be_a_data_url(driver, delivery):
    url = f"data:image/png;base64,{b64encode(picture('PNG')).decode()}"

    reply = await driver.send("POST", f"/deliveries/{delivery['id']}/pod-photo", {"image_base64": url})

    assert reply.status == 201
