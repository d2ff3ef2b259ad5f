"""Enrolled devices."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_staff.models import DeviceRequest, EnrolledDevice
from comanda_staff.services import enrolment


@pytest.fixture
async def enrolled(store, make_till):
    """A till that is enrolled."""
    created = make_till()
    await created.request()
    assert (await store.send("POST", "/staff-devices", {"user_code": created.code})).status == 201
    await created.poll()
    return created


async def test_poll_returns_new_value_until_first_login(create_member, enrolled):
    await create_member(pin="7391")
    first = enrolled.device

    assert (await enrolled.poll()).status == 200

    second, enrolled.device = enrolled.device, first
    assert second != first
    assert (await enrolled.log_in_by_pin("7391")).status == 200  # as any device that is not enrolled
    enrolled.device = second
    assert (await enrolled.log_in_by_pin("7391")).status == 200
    assert (await enrolled.poll()).status == 404


async def test_code_expires_after_ten_minutes_or_first_use(store, make_till, clock):
    late, once = make_till(), make_till()
    await late.request()
    clock.advance(minutes=10)
    await once.request()

    refused = await store.send("POST", "/staff-devices", {"user_code": late.code})
    assert (refused.status, list(refused["errors"])) == (422, ["user_code"])
    assert (await late.poll()).status == 404
    outcomes = await asyncio.gather(*(store.send("POST", "/staff-devices", {"user_code": once.code}) for _ in range(4)))
    assert sorted(reply.status for reply in outcomes) == [201, 422, 422, 422]
    assert await EnrolledDevice.filter(store_id=store.id).count() == 1


async def test_code_of_other_store_is_rejected(store, make_till, open_store):
    elsewhere = await open_store("restaurant")
    new = make_till(elsewhere)
    await new.request()

    assert (await store.send("POST", "/staff-devices", {"user_code": new.code})).status == 422
    assert (await store.send("GET", f"/staff-devices/requests/{new.code}")).status == 404


async def test_unknown_devices_do_not_lock_out_enrolled_device(create_member, enrolled, make_till):
    await create_member(pin="7391")
    for number in range(200):
        stranger = make_till()
        stranger.device = f"device-{number}"
        await stranger.log_in_by_pin(f"{number:04}")

    assert (await enrolled.log_in_by_pin("7391")).status == 200
    other = make_till()
    other.device = "a till that nobody enrolled"
    assert (await other.log_in_by_pin("7391")).status == 429


async def test_guessed_device_values_do_not_lock_out_device(create_member, enrolled, make_till):
    await create_member(pin="7391")
    for number in range(40):
        stranger = make_till()
        stranger.device = enrolled.device[:-1] + ("x" if enrolled.device[-1] != "x" else "y")
        await stranger.log_in_by_pin(f"{number:04}")

    assert (await enrolled.log_in_by_pin("7391")).status == 200


async def test_enrolled_device_is_locked_out_alone(create_member, enrolled, make_till, store, clock):
    await create_member(pin="7391")
    beside, stranger = make_till(), make_till()
    await beside.request("Till 2")
    await store.send("POST", "/staff-devices", {"user_code": beside.code})
    await beside.poll()
    stranger.device = "phone"

    statuses = [(await enrolled.log_in_by_pin(f"00{number:02}")).status for number in range(8)]

    assert statuses == [401] * 5 + [429] * 3
    assert (await enrolled.log_in_by_pin("7391")).status == 429
    assert [(await one.log_in_by_pin("7391")).status for one in (beside, stranger)] == [200, 200]
    clock.advance(minutes=15, seconds=1)
    assert (await enrolled.log_in_by_pin("7391")).status == 200


async def test_enrolled_device_gets_50_attempts_a_day(create_member, enrolled, clock, store, make_till):
    await create_member(pin="7391")
    wrong = 0
    for number in range(80):
        # From ever new addresses, so that no limit but the device's own stands in the way.
        enrolled.address = f"198.51.200.{number}"
        wrong += (await enrolled.log_in_by_pin(f"{number:04}")).status == 401
        clock.advance(minutes=4)

    assert wrong == 50
    assert (await enrolled.log_in_by_pin("7391")).status == 429
    clock.advance(days=1)
    assert (await enrolled.log_in_by_pin("7391")).status == 200


async def test_policy_rejects_devices_that_are_not_enrolled(create_member, enrolled, make_till, store):
    person = await create_member(pin="7391")
    assert (await store.get("/pin-login")).document == {"enrolled_devices_only": False}
    assert (await store.send("PUT", "/pin-login", {"enrolled_devices_only": True})).status == 200
    stranger = make_till()
    stranger.device = "phone"

    # The right PIN and a wrong one are refused alike, and neither counts.
    replies = [await stranger.log_in_by_pin(pin) for pin in ("7391", "0000")]

    assert [(reply.status, reply["code"], reply["reason"]) for reply in replies] == [
        (401, "unauthenticated", "device_not_enrolled")
    ] * 2
    assert await sql.fetch_value("SELECT count(*) FROM staff_pin_try WHERE store_id = $1", store.id) == 0
    assert (await enrolled.log_in_by_pin("7391")).status == 200
    assert (await person.log_in()).status == 200
    await store.send("PUT", "/pin-login", {"enrolled_devices_only": False})
    assert (await stranger.log_in_by_pin("7391")).status == 200


async def test_revoked_device_loses_enrolment_and_tokens(create_member, enrolled, make_till, store):
    person = await create_member(pin="7391")
    here, elsewhere = await enrolled.log_in_by_pin("7391"), make_till()
    elsewhere.device = "phone"
    there = await elsewhere.log_in_by_pin("7391")
    await store.send("PUT", "/pin-login", {"enrolled_devices_only": True})
    [listed] = (await store.get("/staff-devices"))["data"]

    assert (await store.send("DELETE", f"/staff-devices/{listed['id']}")).status == 204

    for reply, status in ((here, 401), (there, 200)):
        person.token = reply["token"]
        assert (await person.send("GET", "/me")).status == status
    assert (await enrolled.log_in_by_pin("7391"))["reason"] == "device_not_enrolled"
    assert (await enrolled.poll()).status == 404
    assert (await store.send("DELETE", f"/staff-devices/{listed['id']}")).status == 404


async def test_token_name_hides_device_value(create_member, enrolled, owner):
    person = await create_member()
    assert (await person.log_in(device=enrolled.device)).status == 200

    names = [row["name"] for row in await sql.fetch("SELECT name FROM core_access_token WHERE owner_id = $1", owner.id)]
    assert any(name.startswith("Till 1 (device") for name in names)
    assert enrolled.device not in names


async def test_requests_of_one_source_replace_each_other(store, make_till):
    mine = make_till()
    await mine.request()
    flood = make_till()

    for _ in range(30):
        await flood.request("Flood")

    waiting = await DeviceRequest.filter(store_id=store.id).values_list("name", flat=True)
    assert sorted(waiting) == ["Flood"] * 3 + ["Till 1"]
    assert (await store.send("POST", "/staff-devices", {"user_code": mine.code})).status == 201


async def test_pending_requests_of_store_are_limited(store, make_till, clock, monkeypatch, manager):
    monkeypatch.setattr(enrolment, "MAX_REQUESTS_PER_STORE", 5)

    replies = [await make_till().request() for _ in range(8)]

    assert [reply.status for reply in replies] == [201] * 5 + [429] * 3
    assert replies[-1]["retry_after"] == 600
    # Whoever is logged in on the device needs no request; and ten minutes later there is room again.
    assert (await manager.send("POST", "/devices", {"name": "Bar"})).status == 201
    clock.advance(minutes=10)
    assert (await make_till().request()).status == 201
    await enrolment.delete_expired_requests()
    assert await DeviceRequest.filter(store_id=store.id).count() == 1


async def test_devices_of_store_are_limited(store, monkeypatch):
    monkeypatch.setattr(enrolment, "MAX_DEVICES", 2)

    replies = await asyncio.gather(*(store.send("POST", "/staff-devices", {"name": f"{n}"}) for n in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 201, 409, 409, 409]
