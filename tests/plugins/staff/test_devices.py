"""Enrolled devices: how one is enrolled, what it may then do, and what nobody else can do about it."""

import asyncio

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import Reply
from comanda_staff import pins
from comanda_staff.models import DeviceRequest, EnrolledDevice
from comanda_staff.services import enrolment


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Let hashes cost nothing, where what is counted is counted."""
    monkeypatch.setattr(pins, "_slow", lambda secret, salt: secret)


class Till:
    """A device without a token, at an address of its own."""

    def __init__(self, store, address):
        self.store, self.address = store, address
        self.code = self.poll_token = self.device = None

    async def send(self, path, body):
        response = await self.store.client.post(
            f"/api/v1/restaurants/{self.store.id}{path}", json=body, scope_base={"client": (self.address, 4711)}
        )
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def request(self, name="Till 1"):
        reply = await self.send("/staff-devices/requests", {"name": name})
        if reply.status == 201:
            self.code, self.poll_token = reply["user_code"], reply["poll_token"]
        return reply

    async def poll(self):
        reply = await self.send("/staff-devices/requests/poll", {"poll_token": self.poll_token})
        if reply.status == 200 and reply["device"]:
            self.device = reply["device"]
        return reply

    async def enter(self, pin):
        return await self.send("/staff/pin", {"pin": pin, "device": self.device})


@pytest.fixture
def till(store):
    numbers = iter(range(1, 60_000))

    def make(at=None):
        number = next(numbers)
        return Till(at or store, f"198.51.{number // 250}.{number % 250}")

    return make


@pytest.fixture
async def enrolled(store, till):
    """A till that is enrolled."""
    made = till()
    await made.request()
    assert (await store.send("POST", "/staff-devices", {"user_code": made.code})).status == 201
    await made.poll()
    return made


async def test_a_device_shows_a_code_is_approved_and_logs_in(store, owner, till, employ, clock):
    await employ(pin="7391")
    new = till()
    asked = await new.request("Bar")
    assert (asked["expires_in"], len(asked["user_code"]), asked.headers["cache-control"]) == (600, 9, "no-store")
    assert (await new.poll()).document == {"status": "pending", "name": "Bar", "device": None}

    shown = await store.get(f"/staff-devices/requests/{new.code}")
    made = await store.send("POST", "/staff-devices", {"user_code": new.code.lower().replace("-", " ")})

    assert (shown["name"], shown["source"]) == ("Bar", new.address)
    assert (made.status, made["name"], made["device"], made["enrolled_by"]) == (201, "Bar", None, f"owner:{owner.id}")
    assert (await new.poll())["status"] == "approved"
    assert len(new.device) == 50
    assert (await new.enter("7391")).status == 200
    [listed] = (await store.get("/staff-devices"))["data"]
    assert listed["last_used_at"] == clock().isoformat()
    # Its value is kept nowhere, not even as the name of the token that was issued on it.
    dumped = await sql.fetch("SELECT to_jsonb(t)::text AS row FROM core_access_token t WHERE owner_id = $1", owner.id)
    dumped += await sql.fetch(
        "SELECT to_jsonb(t)::text AS row FROM staff_enrolled_device t WHERE owner_id = $1", owner.id
    )
    assert not any(new.device in row["row"] for row in dumped)
    assert any('"Bar (device' in row["row"] for row in dumped)


async def test_an_answer_that_was_lost_is_polled_again_until_the_device_is_used(employ, enrolled):
    await employ(pin="7391")
    first = enrolled.device

    assert (await enrolled.poll()).status == 200

    second, enrolled.device = enrolled.device, first
    assert second != first
    assert (await enrolled.enter("7391")).status == 200  # as any device that is not enrolled
    enrolled.device = second
    assert (await enrolled.enter("7391")).status == 200
    assert (await enrolled.poll()).status == 404


async def test_a_code_is_good_for_ten_minutes_and_for_one_device(store, till, clock):
    late, once = till(), till()
    await late.request()
    clock.advance(minutes=10)
    await once.request()

    refused = await store.send("POST", "/staff-devices", {"user_code": late.code})
    assert (refused.status, list(refused["errors"])) == (422, ["user_code"])
    assert (await late.poll()).status == 404
    outcomes = await asyncio.gather(*(store.send("POST", "/staff-devices", {"user_code": once.code}) for _ in range(4)))
    assert sorted(reply.status for reply in outcomes) == [201, 422, 422, 422]
    assert await EnrolledDevice.filter(store_id=store.id).count() == 1


async def test_a_code_is_one_of_its_own_store(store, till, open_store):
    elsewhere = await open_store("restaurant")
    new = till(elsewhere)
    await new.request()

    assert (await store.send("POST", "/staff-devices", {"user_code": new.code})).status == 422
    assert (await store.send("GET", f"/staff-devices/requests/{new.code}")).status == 404


@pytest.mark.parametrize("role", ["cashier", "kitchen", "waiter"])
async def test_only_managers_enrol_among_staff(employ, till, store, role):
    person, new = await employ(role), till()
    await person.login()
    await new.request()

    for method, path, body in (
        ("POST", "/devices", {"user_code": new.code}),
        ("POST", "/devices", {}),
        ("GET", "/devices", None),
        ("GET", f"/devices/requests/{new.code}", None),
        ("DELETE", "/devices/1", None),
    ):
        reply = await person.send(method, path, body)
        assert (reply.status, reply["required"]) == (403, "manager")
    assert await EnrolledDevice.filter(store_id=store.id).count() == 0


async def test_a_manager_enrols_by_password_and_not_by_a_pin(employ, manager, till, store):
    by_pin, new = await employ("manager", pin="7391"), till()
    await by_pin.enter()
    await new.request()

    refused = await by_pin.send("POST", "/devices", {"user_code": new.code})
    assert (refused.status, refused["reason"]) == (403, "full_login_required")
    assert (await manager.send("GET", f"/devices/requests/{new.code}"))["name"] == "Till 1"
    made = await manager.send("POST", "/devices", {"user_code": new.code, "name": "Counter"})
    assert (made.status, made["name"], made["enrolled_by"]) == (201, "Counter", f"staff:{manager.id}")
    assert [one["id"] for one in (await manager.send("GET", "/devices"))["data"]] == [made["id"]]
    assert (await manager.send("DELETE", f"/devices/{made['id']}")).status == 204
    assert await EnrolledDevice.filter(store_id=store.id).count() == 0


async def test_a_manager_enrols_the_device_that_they_are_logged_in_on(manager, till, employ):
    await employ(pin="7391")
    here = till()

    made = await manager.send("POST", "/devices", {"name": "Office"})

    here.device = made["device"]
    assert (made.status, made.headers["cache-control"]) == (201, "no-store")
    assert (await here.enter("7391")).status == 200


async def test_strangers_lock_out_no_enrolled_device(employ, enrolled, till):
    await employ(pin="7391")
    for number in range(200):
        stranger = till()
        stranger.device = f"device-{number}"
        await stranger.enter(f"{number:04}")

    assert (await enrolled.enter("7391")).status == 200
    other = till()
    other.device = "a till that nobody enrolled"
    assert (await other.enter("7391")).status == 429


async def test_strangers_who_call_themselves_enrolled_are_not(employ, enrolled, till):
    await employ(pin="7391")
    for number in range(40):
        stranger = till()
        stranger.device = enrolled.device[:-1] + ("x" if enrolled.device[-1] != "x" else "y")
        await stranger.enter(f"{number:04}")

    assert (await enrolled.enter("7391")).status == 200


async def test_an_enrolled_device_locks_itself_out_and_nobody_else(employ, enrolled, till, store, clock):
    await employ(pin="7391")
    beside, stranger = till(), till()
    await beside.request("Till 2")
    await store.send("POST", "/staff-devices", {"user_code": beside.code})
    await beside.poll()
    stranger.device = "phone"

    statuses = [(await enrolled.enter(f"00{number:02}")).status for number in range(8)]

    assert statuses == [401] * 5 + [429] * 3
    assert (await enrolled.enter("7391")).status == 429
    assert [(await one.enter("7391")).status for one in (beside, stranger)] == [200, 200]
    clock.advance(minutes=15, seconds=1)
    assert (await enrolled.enter("7391")).status == 200


async def test_a_stolen_till_gets_fifty_guesses_a_day(employ, enrolled, clock, store, till):
    await employ(pin="7391")
    wrong = 0
    for number in range(80):
        # From ever new addresses, so that no limit but the device's own stands in the way.
        enrolled.address = f"198.51.200.{number}"
        wrong += (await enrolled.enter(f"{number:04}")).status == 401
        clock.advance(minutes=4)

    assert wrong == 50
    assert (await enrolled.enter("7391")).status == 429
    clock.advance(days=1)
    assert (await enrolled.enter("7391")).status == 200


async def test_a_store_may_refuse_devices_that_are_not_enrolled(employ, enrolled, till, store):
    person = await employ(pin="7391")
    assert (await store.get("/pin-login")).document == {"enrolled_devices_only": False}
    assert (await store.send("PUT", "/pin-login", {"enrolled_devices_only": True})).status == 200
    stranger = till()
    stranger.device = "phone"

    # The right PIN and a wrong one are refused alike, and neither counts.
    replies = [await stranger.enter(pin) for pin in ("7391", "0000")]

    assert [(reply.status, reply["code"], reply["reason"]) for reply in replies] == [
        (401, "unauthenticated", "device_not_enrolled")
    ] * 2
    assert await sql.fetch_value("SELECT count(*) FROM staff_pin_try WHERE store_id = $1", store.id) == 0
    assert (await enrolled.enter("7391")).status == 200
    assert (await person.login()).status == 200
    await store.send("PUT", "/pin-login", {"enrolled_devices_only": False})
    assert (await stranger.enter("7391")).status == 200


async def test_a_revoked_device_is_a_strangers_and_its_tokens_are_void(employ, enrolled, till, store):
    person = await employ(pin="7391")
    here, elsewhere = await enrolled.enter("7391"), till()
    elsewhere.device = "phone"
    there = await elsewhere.enter("7391")
    await store.send("PUT", "/pin-login", {"enrolled_devices_only": True})
    [listed] = (await store.get("/staff-devices"))["data"]

    assert (await store.send("DELETE", f"/staff-devices/{listed['id']}")).status == 204

    for reply, status in ((here, 401), (there, 200)):
        person.token = reply["token"]
        assert (await person.send("GET", "/me")).status == status
    assert (await enrolled.enter("7391"))["reason"] == "device_not_enrolled"
    assert (await enrolled.poll()).status == 404
    assert (await store.send("DELETE", f"/staff-devices/{listed['id']}")).status == 404


async def test_an_email_login_on_an_enrolled_device_does_not_keep_its_value(employ, enrolled, owner):
    person = await employ()
    assert (await person.login(device=enrolled.device)).status == 200

    names = [row["name"] for row in await sql.fetch("SELECT name FROM core_access_token WHERE owner_id = $1", owner.id)]
    assert any(name.startswith("Till 1 (device") for name in names)
    assert enrolled.device not in names


async def test_a_flood_of_requests_is_bounded_and_replaces_only_its_own(store, till):
    mine = till()
    await mine.request()
    flood = till()

    for _ in range(30):
        await flood.request("Flood")

    waiting = await DeviceRequest.filter(store_id=store.id).values_list("name", flat=True)
    assert sorted(waiting) == ["Flood"] * 3 + ["Till 1"]
    assert (await store.send("POST", "/staff-devices", {"user_code": mine.code})).status == 201


async def test_no_more_requests_wait_than_a_store_takes(store, till, clock, monkeypatch, manager):
    monkeypatch.setattr(enrolment, "MAX_REQUESTS_PER_STORE", 5)

    replies = [await till().request() for _ in range(8)]

    assert [reply.status for reply in replies] == [201] * 5 + [429] * 3
    assert replies[-1]["retry_after"] == 600
    # Whoever is logged in on the device needs no request; and ten minutes later there is room again.
    assert (await manager.send("POST", "/devices", {"name": "Bar"})).status == 201
    clock.advance(minutes=10)
    assert (await till().request()).status == 201
    await enrolment.prune()
    assert await DeviceRequest.filter(store_id=store.id).count() == 1


async def test_a_store_has_so_many_devices_and_no_more(store, monkeypatch):
    monkeypatch.setattr(enrolment, "MAX_DEVICES", 2)

    replies = await asyncio.gather(*(store.send("POST", "/staff-devices", {"name": f"{n}"}) for n in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 201, 409, 409, 409]


async def test_a_read_only_token_sees_devices_and_enrols_none(store, owner, till):
    new = till()
    await new.request()
    reads = await owner.token_with("restaurants:read")

    assert (await store.send("GET", "/staff-devices", **reads)).status == 200
    assert (await store.send("POST", "/staff-devices", {"user_code": new.code}, **reads)).status == 403
    assert (await store.send("GET", f"/staff-devices/requests/{new.code}", **reads)).status == 200
    assert (await store.send("PUT", "/pin-login", {"enrolled_devices_only": True}, **reads)).status == 403
