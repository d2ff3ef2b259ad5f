"""Proof of delivery: codes that stop being guessed, photos that tell nothing but what they show."""

import asyncio
import random
import struct
import warnings
from base64 import b64encode
from io import BytesIO

import photographs
import pytest
from comanda import clock as clock_module
from comanda.contracts.erasure import Person
from comanda.db import sql
from comanda_drivers import pictures, tasks
from comanda_drivers.erasing import ERASER
from comanda_drivers.models import Offer
from comanda_drivers.services import proving
from photographs import picture, with_exif
from PIL import Image, ImageOps

NEWEST = (
    "SELECT text, address FROM notifications_message WHERE owner_id = $1 AND purpose = 'drivers.pod' ORDER BY id DESC"
)


@pytest.fixture
async def errand(kitchen, rider):
    return await kitchen.assigned(rider)


@pytest.fixture
def told(owner):
    """Return a function that reads the last code that a customer was sent."""

    async def code():
        return (await sql.fetch_one(NEWEST, owner.id))["text"].partition(" ")[0]

    return code


async def otp(rider, order, code=None):
    return await rider.send("POST", f"/deliveries/{order['id']}/pod-otp", {} if code is None else {"code": code})


async def photo(rider, order, raw):
    return await rider.send("POST", f"/deliveries/{order['id']}/pod-photo", {"image_base64": b64encode(raw).decode()})


async def form(rider, order, body, boundary="xx", kind="multipart/form-data; boundary=xx"):
    headers = {"Authorization": f"Bearer {rider.token}", "Content-Type": kind}
    return await rider.client.post(f"/api/v1/driver/deliveries/{order['id']}/pod-photo", headers=headers, data=body)


def part(raw, name="photo", boundary=b"xx"):
    head = f'Content-Disposition: form-data; name="{name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    return b"--" + boundary + b"\r\n" + head.encode() + raw + b"\r\n--" + boundary + b"--\r\n"


def wrong(code):
    return f"{(int(code) + 1) % 10_000:04}"


@pytest.mark.parametrize(
    ("pod", "proofs", "enough"),
    [
        ("none", "", True),
        ("otp", "photo", False),
        ("otp", "otp", True),
        ("photo", "otp", False),
        ("photo", "photo", True),
        ("either", "", False),
        ("either", "photo", True),
        ("either", "otp", True),
        ("both", "otp", False),
        ("both", "photo", False),
        ("both", "otp photo", True),
    ],
)
async def test_a_delivery_needs_the_proof_that_its_store_wants(kitchen, rider, errand, told, rows, pod, proofs, enough):
    await kitchen.terms(pod=pod)
    if "otp" in proofs:
        assert (await otp(rider, errand)).document == {"sent": True, "expires_in": 3600}
        assert (await otp(rider, errand, await told()))["verified"] is True
    if "photo" in proofs:
        assert (await photo(rider, errand, picture())).status == 201
    [shown] = (await rider.get("/deliveries"))["data"]
    assert (shown["pod"], shown["proof"]["is_enough"]) == (pod, enough)
    before = await rows()

    reply = await rider.set(errand["id"], "delivered")

    if enough:
        assert (reply.status, reply["delivery_status"]) == (200, "delivered")
    else:
        assert list(reply.errors) == ["delivery_status"]
        assert reply["reason"] == "pod_required"
        assert await rows() == before
        # What failed needs no proof, and the owner's word is enough.
        assert (await kitchen.override(errand, "delivered")).status == 200


async def test_the_code_goes_to_the_customer_and_nobody_reads_it_afterwards(kitchen, rider, errand, owner):
    assert (await otp(rider, errand)).status == 200

    row = await sql.fetch_one(NEWEST, owner.id)
    assert row["address"] == "+351912345678"
    code = row["text"].partition(" ")[0]
    assert (len(code), code.isdigit()) == (4, True)
    stored = await sql.fetch("SELECT code_hash FROM core_login_code WHERE owner_id = $1", owner.id)
    assert all(code.encode() not in each["code_hash"] for each in stored)


async def test_a_code_is_sent_every_half_minute_and_the_newest_counts(rider, errand, told, clock):
    assert (await otp(rider, errand)).status == 200
    first = await told()
    again = await otp(rider, errand)
    assert (again.status, again["retry_after"]) == (429, 31)
    clock.advance(seconds=31)
    assert (await otp(rider, errand)).status == 200
    newest = await told()

    if first != newest:
        assert (await otp(rider, errand, first))["reason"] == "otp_invalid"
    assert (await otp(rider, errand, newest))["verified"] is True
    # What is proved is proved.
    assert (await otp(rider, errand, "x")).status == 200


async def test_five_wrong_codes_lock_the_delivery_whichever_codes_were_sent(kitchen, rider, errand, told, clock):
    await kitchen.terms(pod="otp")
    for tries in (3, 2):
        assert (await otp(rider, errand)).status == 200
        code = await told()
        for _ in range(tries):
            assert (await otp(rider, errand, wrong(code)))["reason"] == "otp_invalid"
        clock.advance(seconds=31)

    right = await otp(rider, errand, code)
    another = await otp(rider, errand)

    assert (right.status, right["reason"]) == (422, "otp_exhausted")
    assert (another.status, another["reason"]) == (409, "pod_locked")
    assert (await rider.set(errand["id"], "delivered"))["reason"] == "pod_required"
    assert (await kitchen.override(errand, "delivered")).status == 200


async def test_guesses_at_once_are_all_counted(kitchen, rider, errand, told):
    assert (await otp(rider, errand)).status == 200
    code = await told()
    guesses = [f"{(int(code) + 1 + number) % 10_000:04}" for number in range(20)]

    replies = await asyncio.gather(*(otp(rider, errand, guess) for guess in guesses))

    assert {reply.status for reply in replies} == {422}
    assert sum(reply["reason"] == "otp_invalid" for reply in replies) == 5
    assert (await otp(rider, errand, code)).status == 422


async def test_a_proof_is_that_of_whoever_has_the_order(kitchen, rider, errand, told):
    await kitchen.terms(pod="otp")
    await otp(rider, errand)
    await otp(rider, errand, await told())
    other = await kitchen.rider("Eva", "+351961234568")
    assert (await kitchen.assign(errand, other.id)).status == 200

    for refused in (await otp(rider, errand), await photo(rider, errand, picture())):
        assert refused.status == 404
    assert (await other.set(errand["id"], "delivered"))["reason"] == "pod_required"


async def test_without_a_phone_or_a_delivery_under_way_no_code_is_sent(kitchen, rider, errand):
    nameless = await kitchen.delivery(phone="at the door")
    await kitchen.assign(nameless, rider.id)
    assert (await otp(rider, nameless))["reason"] == "no_phone"

    await rider.set(errand["id"], "delivered")
    replies = [await otp(rider, errand), await otp(rider, errand, "1234"), await photo(rider, errand, picture())]
    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "not_under_way")] * 3


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
async def test_photos_of_three_kinds_become_jpeg_by_form_and_by_json(kitchen, rider, errand, client, kind):
    raw = picture(kind, size=(2400, 1200))
    by_json = await photo(rider, errand, raw)
    by_form = await form(rider, errand, part(raw))

    assert (by_json.status, by_form.status_code) == (201, 201)
    for answer in (by_json.document, await by_form.get_json()):
        found = await client.get(answer["url"].partition("//")[2].partition("/")[2].join(["/", ""]))
        data = await found.get_data()
        assert (found.status_code, found.content_type, data[:3]) == (200, "image/jpeg", b"\xff\xd8\xff")
        assert "private" in found.headers["Cache-Control"]
        assert Image.open(BytesIO(data)).size == (1600, 800)


def test_a_photo_is_turned_upright_and_tells_neither_where_nor_with_what_it_was_taken():
    small = pictures.small(with_exif())

    image = Image.open(BytesIO(small))
    assert image.size == (200, 400)
    assert not image.getexif()
    assert b"SecretCamera" not in small
    assert b"Exif" not in small


@pytest.mark.parametrize("mode", ["P", "L", "RGBA", "LA", "1", "CMYK", "I;16"])
def test_pictures_of_any_mode_are_read(mode):
    written = BytesIO()
    Image.new(mode, (8, 8)).save(written, "JPEG" if mode == "CMYK" else "PNG")

    assert Image.open(BytesIO(pictures.small(written.getvalue()))).mode == "RGB"


@pytest.mark.parametrize(("kind", "side"), [("PNG", 5000), ("WEBP", 5000), ("JPEG", 8100)])
def test_what_has_too_many_pixels_is_refused_before_it_is_decoded(kind, side):
    raw = picture(kind, size=(side, side))

    with pytest.raises(pictures.InvalidPicture, match="million pixels"):
        pictures.small(raw)


def with_broken_notes(seed):
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


def breaking(error):
    """The first such picture that Pillow fails to turn upright with this error."""
    for seed in range(10_000):
        raw = with_broken_notes(seed)
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
def test_whatever_stands_in_a_cameras_notes_a_picture_is_read_or_refused():
    read = 0
    for seed in range(600):
        try:
            read += Image.open(BytesIO(pictures.small(with_broken_notes(seed)))).format == "JPEG"
        except pictures.InvalidPicture:
            continue

    assert 0 < read < 600


HOSTILE = photographs.HOSTILE | {
    "a jpeg with notes that end too early": breaking(struct.error),
    "a jpeg with notes of another type": breaking(TypeError),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_is_no_photo_is_refused_and_kept_nowhere(rider, errand, rows, name):
    before = await rows()

    by_json, by_form = await photo(rider, errand, HOSTILE[name]), await form(rider, errand, part(HOSTILE[name]))

    assert list(by_json.errors) == ["image_base64"]
    assert (by_form.status_code, list((await by_form.get_json())["errors"])) == (422, ["photo"])
    assert await rows() == before
    assert await sql.fetch_value("SELECT count(*) FROM drivers_proof WHERE order_id = $1", errand["id"]) == 0


async def test_forms_that_are_none_are_refused(rider, errand):
    raw = picture()
    tries = {
        "no boundary": (part(raw), "multipart/form-data"),
        "another boundary": (part(raw), "multipart/form-data; boundary=yy"),
        "a foreign letter": (part(raw), "multipart/form-data; boundary=\u00e9"),
        "cut": (part(raw)[:40], "multipart/form-data; boundary=xx"),
        "another part": (part(raw, "image"), "multipart/form-data; boundary=xx"),
        "many parts": (part(raw)[:-6] * 50 + b"--xx--\r\n", "multipart/form-data; boundary=xx"),
        "no file": (b'--xx\r\nContent-Disposition: form-data; name="photo"\r\n\r\nx\r\n--xx--\r\n',
            "multipart/form-data; boundary=xx"),
        "plain text": (raw, "text/plain"),
        "a bare picture": (raw, "image/jpeg"),
    }  # fmt: skip

    answers = {name: (await form(rider, errand, body, kind=kind)).status_code for name, (body, kind) in tries.items()}

    assert set(answers.values()) <= {400, 415, 422}, answers
    assert (await photo(rider, errand, b"x" * (pictures.MAX_BYTES + 1))).status in {413, 422}
    reply = await rider.send("POST", f"/deliveries/{errand['id']}/pod-photo", {"image_base64": "\u00e9 no"})
    assert list(reply.errors) == ["image_base64"]


async def test_a_picture_may_come_as_browsers_write_it(rider, errand):
    url = f"data:image/png;base64,{b64encode(picture('PNG')).decode()}"

    reply = await rider.send("POST", f"/deliveries/{errand['id']}/pod-photo", {"image_base64": url})

    assert reply.status == 201


async def test_a_delivery_has_five_photos_at_the_most_even_all_at_once(rider, errand):
    replies = await asyncio.gather(*(photo(rider, errand, picture()) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] * 5 + [409] * 3
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"too_many_photos"}


async def test_owner_and_customer_get_links_that_end_and_fit_one_photo(kitchen, rider, errand, client, told, clock):
    assert (await kitchen.shown(errand))["proof"] is None
    made = (await photo(rider, errand, picture())).document
    other = (await photo(rider, errand, picture())).document
    await otp(rider, errand)
    await otp(rider, errand, await told())
    await rider.set(errand["id"], "delivered")

    proof = (await kitchen.shown(errand))["proof"]
    public = await (await client.get(f"/api/v1/track/{errand['track_token']}")).get_json()

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


async def test_photos_are_forgotten_after_thirty_days_and_that_there_was_one_is_not(kitchen, rider, errand, clock):
    await kitchen.terms(pod="photo")
    made = (await photo(rider, errand, picture())).document
    clock.advance(days=29)
    await tasks.prune()
    assert len((await kitchen.shown(errand))["proof"]["photos"]) == 1
    clock.advance(days=2)
    await tasks.prune()

    assert (await kitchen.shown(errand))["proof"] == {"code_verified_at": None, "photos": []}
    assert await sql.fetch_value("SELECT count(*) FROM drivers_photo WHERE proof_id = $1", made["id"]) == 0
    assert (await rider.set(errand["id"], "delivered")).status == 200


async def test_of_an_erased_person_no_photo_no_code_and_no_words_of_the_driver_stay(kitchen, rider, errand, owner):
    other = await kitchen.assigned(rider)
    for order in (errand, other):
        assert (await photo(rider, order, picture())).status == 201
        assert (await otp(rider, order)).status == 200
        now = clock_module.now()
        await Offer.create(
            owner_id=owner.id, order_id=order["id"], driver_id=rider.id, state="rejected", reason="Ada's dog bites",
            round=1, created_at=now, expires_at=now, ended_at=now,
        )  # fmt: skip

    person = Person(owner.id, kitchen.id, 1, frozenset(), frozenset(), frozenset({errand["id"]}))
    await ERASER.erase(person)
    await ERASER.erase(person)

    assert [len((await kitchen.shown(order))["proof"]["photos"]) for order in (errand, other)] == [0, 1]
    reasons = "SELECT reason FROM drivers_offer WHERE owner_id = $1 ORDER BY order_id"
    assert [row["reason"] for row in await sql.fetch(reasons, owner.id)] == [None, "Ada's dog bites"]
    assert await sql.fetch_value("SELECT count(*) FROM core_login_code WHERE owner_id = $1", owner.id) == 1


async def test_a_proof_that_came_too_late_for_its_driver_is_not_kept(kitchen, rider, errand, monkeypatch):
    other = await kitchen.rider("Eva", "+351961234568")

    async def meanwhile(caller, order_id):
        await kitchen.assign(errand, other.id)

    monkeypatch.setattr(proving, "check_mine", meanwhile)

    assert (await photo(rider, errand, picture())).status == 404
    assert await sql.fetch_value("SELECT count(*) FROM drivers_proof WHERE order_id = $1", errand["id"]) == 0
