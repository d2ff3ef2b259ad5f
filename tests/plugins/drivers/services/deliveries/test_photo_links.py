"""Signed links to photos."""

import random
import struct
import warnings
from io import BytesIO

import photographs
import pytest
from comanda.platform.db import sql
from comanda_drivers.services.deliveries import photo_links
from photographs import picture, with_exif
from PIL import Image, ImageOps


async def test_links_expire_and_are_valid_for_one_photo(kitchen, driver, delivery, client, read_code, clock):
    assert (await kitchen.get_order(delivery))["proof"] is None
    made = (await driver.upload_photo(delivery, picture())).document
    other = (await driver.upload_photo(delivery, picture())).document
    await driver.send_code(delivery)
    await driver.send_code(delivery, await read_code())
    await driver.set_status(delivery["id"], "delivered")

    proof = (await kitchen.get_order(delivery))["proof"]
    public = await (await client.get(f"/api/v1/track/{delivery['track_token']}")).get_json()

    assert [each["id"] for each in proof["photos"]] == [made["id"], other["id"]]
    assert proof["code_verified_at"] is not None
    assert public["proof"] == proof
    path = "/api/v1/" + made["url"].partition("/api/v1/")[2]
    assert (await client.get(path)).status_code == 200
    query = path.partition("?")[2]
    expires = query.partition("expires=")[2].partition("&")[0]
    for forged in (
        f"/api/v1/delivery-photos/{other['id']}?{query}",
        path[:-1] + ("0" if path[-1] != "0" else "1"),
        path.replace(expires, str(int(expires) + 60)),
        path.partition("?")[0],
        path.replace(f"expires={expires}", "expires=x"),
        path.replace("signature=", "signature=%C3%A9"),
    ):
        assert (await client.get(forged)).status_code == 404
    clock.advance(minutes=21)
    assert (await client.get(path)).status_code == 404


def test_photo_is_rotated_and_stripped_of_metadata():
    small = photo_links.resize_photo(with_exif())

    image = Image.open(BytesIO(small))
    assert image.size == (200, 400)
    assert not image.getexif()
    assert b"SecretCamera" not in small
    assert b"Exif" not in small


@pytest.mark.parametrize("mode", ["P", "L", "RGBA", "LA", "1", "CMYK", "I;16"])
def test_pictures_of_any_mode_are_converted(mode):
    written = BytesIO()
    Image.new(mode, (8, 8)).save(written, "JPEG" if mode == "CMYK" else "PNG")

    assert Image.open(BytesIO(photo_links.resize_photo(written.getvalue()))).mode == "RGB"


@pytest.mark.parametrize(("kind", "side"), [("PNG", 5000), ("WEBP", 5000), ("JPEG", 8100)])
def test_too_many_pixels_are_refused_before_decoding(kind, side):
    raw = picture(kind, size=(side, side))

    with pytest.raises(photo_links.InvalidPicture, match="million pixels"):
        photo_links.resize_photo(raw)


def create_photo_with_broken_exif(seed):
    """A sound picture whose EXIF a few bits of damage have reached."""
    notes, dice = Image.Exif(), random.Random(seed)
    notes[0x0112], notes[0x010F] = 6, "Maker"
    notes.get_ifd(0x8825)[2] = (1.0, 2.0, 3.0)
    raw = bytearray(notes.tobytes())
    for _ in range(dice.randint(1, 6)):
        raw[dice.randrange(6, len(raw))] = dice.randrange(256)
    written = BytesIO()
    Image.new("RGB", (40, 20), "red").save(
        written, "JPEG", exif=bytes(raw[: dice.choice([len(raw), dice.randrange(7, len(raw))])])
    )
    return written.getvalue()


def find_photo_raising(error):
    """The first such picture that Pillow fails to turn upright with this error."""
    for seed in range(10_000):
        raw = create_photo_with_broken_exif(seed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ImageOps.exif_transpose(Image.open(BytesIO(raw)))
        except error:
            return raw
        except Exception:
            continue
    raise AssertionError(f"no picture raises {error}")


@pytest.mark.filterwarnings("ignore")
def test_photos_with_broken_exif_are_read_or_refused():
    read = 0
    for seed in range(600):
        try:
            read += Image.open(BytesIO(photo_links.resize_photo(create_photo_with_broken_exif(seed)))).format == "JPEG"
        except photo_links.InvalidPicture:
            continue

    assert 0 < read < 600


HOSTILE = photographs.HOSTILE | {
    "a jpeg with notes that end too early": find_photo_raising(struct.error),
    "a jpeg with notes of another type": find_photo_raising(TypeError),
}


async def test_hostile_photos_are_refused_and_not_stored(driver, delivery, rows, build_form, subtests):
    before = await rows()

    for name in HOSTILE:
        with subtests.test(name=name):
            by_json, by_form = (
                await driver.upload_photo(delivery, HOSTILE[name]),
                await driver.upload_form(delivery, build_form(HOSTILE[name])),
            )

            assert list(by_json.errors) == ["image_base64"]
            assert (by_form.status_code, list((await by_form.get_json())["errors"])) == (422, ["photo"])
            assert await rows() == before
            assert await sql.fetch_value("SELECT count(*) FROM drivers_proof WHERE order_id = $1", delivery["id"]) == 0
