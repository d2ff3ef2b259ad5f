"""Proof of delivery: required proofs, codes, and limits."""

import asyncio
from base64 import b64encode

import pytest
from comanda.platform.db import sql
from comanda_drivers.services.deliveries import proof_of_delivery
from photographs import picture


def build_wrong_code(code):
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
async def test_delivery_requires_the_configured_proof(kitchen, driver, delivery, read_code, rows, pod, proofs, enough):
    await kitchen.set_terms(pod=pod)
    if "otp" in proofs:
        assert (await driver.send_code(delivery)).document == {"sent": True, "expires_in": 3600}
        assert (await driver.send_code(delivery, await read_code()))["verified"] is True
    if "photo" in proofs:
        assert (await driver.upload_photo(delivery, picture())).status == 201
    [shown] = (await driver.get("/deliveries"))["data"]
    assert (shown["pod"], shown["proof"]["is_enough"]) == (pod, enough)
    before = await rows()

    reply = await driver.set_status(delivery["id"], "delivered")

    if enough:
        assert (reply.status, reply["delivery_status"]) == (200, "delivered")
    else:
        assert list(reply.errors) == ["delivery_status"]
        assert reply["reason"] == "pod_required"
        assert await rows() == before
        # What failed needs no proof, and the owner's word is enough.
        assert (await kitchen.override_status(delivery, "delivered")).status == 200


async def test_code_is_sent_to_the_customer_and_stored_hashed(kitchen, driver, delivery, owner, newest_code_message):
    assert (await driver.send_code(delivery)).status == 200

    row = await newest_code_message()
    assert row["address"] == "+351912345678"
    code = row["text"].partition(" ")[0]
    assert (len(code), code.isdigit()) == (4, True)
    stored = await sql.fetch("SELECT code_hash FROM core_login_code WHERE owner_id = $1", owner.id)
    assert all(code.encode() not in each["code_hash"] for each in stored)


async def test_newest_code_is_valid_and_resending_is_limited(driver, delivery, read_code, clock):
    assert (await driver.send_code(delivery)).status == 200
    first = await read_code()
    again = await driver.send_code(delivery)
    assert (again.status, again["retry_after"]) == (429, 31)
    clock.advance(seconds=31)
    assert (await driver.send_code(delivery)).status == 200
    newest = await read_code()

    if first != newest:
        assert (await driver.send_code(delivery, first))["reason"] == "otp_invalid"
    assert (await driver.send_code(delivery, newest))["verified"] is True
    # What is proved is proved.
    assert (await driver.send_code(delivery, "x")).status == 200


async def test_five_wrong_codes_lock_the_assignment(kitchen, driver, delivery, read_code, clock):
    await kitchen.set_terms(pod="otp")
    for tries in (3, 2):
        assert (await driver.send_code(delivery)).status == 200
        code = await read_code()
        for _ in range(tries):
            assert (await driver.send_code(delivery, build_wrong_code(code)))["reason"] == "otp_invalid"
        clock.advance(seconds=31)

    right = await driver.send_code(delivery, code)
    another = await driver.send_code(delivery)

    assert (right.status, right["reason"]) == (422, "otp_exhausted")
    assert (another.status, another["reason"]) == (409, "pod_locked")
    assert (await driver.set_status(delivery["id"], "delivered"))["reason"] == "pod_required"
    assert (await kitchen.override_status(delivery, "delivered")).status == 200


async def test_concurrent_wrong_codes_are_all_counted(kitchen, driver, delivery, read_code):
    assert (await driver.send_code(delivery)).status == 200
    code = await read_code()
    guesses = [f"{(int(code) + 1 + number) % 10_000:04}" for number in range(20)]

    replies = await asyncio.gather(*(driver.send_code(delivery, guess) for guess in guesses))

    assert {reply.status for reply in replies} == {422}
    assert sum(reply["reason"] == "otp_invalid" for reply in replies) == 5
    assert (await driver.send_code(delivery, code)).status == 422


async def test_reassigned_delivery_needs_a_new_proof(kitchen, driver, delivery, read_code):
    await kitchen.set_terms(pod="otp")
    await driver.send_code(delivery)
    await driver.send_code(delivery, await read_code())
    other = await kitchen.add_driver("Eva", "+351961234568")
    assert (await kitchen.assign(delivery, other.id)).status == 200

    for refused in (await driver.send_code(delivery), await driver.upload_photo(delivery, picture())):
        assert refused.status == 404
    assert (await other.set_status(delivery["id"], "delivered"))["reason"] == "pod_required"


async def test_code_requires_a_phone_and_an_active_delivery(kitchen, driver, delivery):
    nameless = await kitchen.place_delivery(phone="at the door")
    await kitchen.assign(nameless, driver.id)
    assert (await driver.send_code(nameless))["reason"] == "no_phone"

    await driver.set_status(delivery["id"], "delivered")
    replies = [
        await driver.send_code(delivery),
        await driver.send_code(delivery, "1234"),
        await driver.upload_photo(delivery, picture()),
    ]
    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "not_under_way")] * 3


async def test_concurrent_uploads_respect_the_photo_limit(driver, delivery):
    replies = await asyncio.gather(*(driver.upload_photo(delivery, picture()) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] * 5 + [409] * 3
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"too_many_photos"}


async def test_photo_uploaded_after_reassignment_is_refused(kitchen, driver, delivery, monkeypatch):
    other = await kitchen.add_driver("Eva", "+351961234568")

    async def meanwhile(caller, order_id, key):
        await kitchen.assign(delivery, other.id)

    monkeypatch.setattr(proof_of_delivery, "check_photo_allowed", meanwhile)

    assert (await driver.upload_photo(delivery, picture())).status == 404
    assert await sql.fetch_value("SELECT count(*) FROM drivers_proof WHERE order_id = $1", delivery["id"]) == 0


async def test_repeated_photo_is_stored_once_even_after_the_delivery(driver, delivery):
    path = f"/deliveries/{delivery['id']}/pod-photo"
    body = {"image_base64": b64encode(picture()).decode()}
    key = {"Idempotency-Key": "door-1"}

    first = await driver.send("POST", path, body, **key)
    together = await asyncio.gather(*(driver.send("POST", path, body, **key) for _ in range(3)))
    assert (await driver.set_status(delivery["id"], "delivered")).status == 200
    late = await driver.send("POST", path, body, **key)

    assert (first.status, first.headers.get("idempotent-replayed")) == (201, None)
    assert [(each.status, each.headers.get("idempotent-replayed"), each["id"]) for each in [*together, late]] == [
        (201, "true", first["id"])
    ] * 4
    assert await sql.fetch_value("SELECT count(*) FROM drivers_photo WHERE proof_id = $1", first["id"]) == 1
    assert await sql.fetch_value("SELECT count(*) FROM drivers_proof WHERE order_id = $1", delivery["id"]) == 1


async def test_photo_of_another_driver_is_not_found_by_its_key(kitchen, driver, delivery):
    path = f"/deliveries/{delivery['id']}/pod-photo"
    body = {"image_base64": b64encode(picture()).decode()}
    assert (await driver.send("POST", path, body, **{"Idempotency-Key": "door-1"})).status == 201
    other = await kitchen.add_driver("Eva", "+351961234568")

    assert (await other.send("POST", path, body, **{"Idempotency-Key": "door-1"})).status == 404
