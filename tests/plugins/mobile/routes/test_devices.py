"""Devices of owners and staff that receive push messages."""

import pytest
from comanda_notifications import api as notifications

DEVICE = {"platform": "ios", "token": "f3a1c0de9b", "app_version": "1.4.0", "locale": "pt"}


@pytest.fixture
def push(owner, waiter):
    """Return a function that sends a message to the owner and to the waiter, and gives how many devices got it."""

    async def send():
        return [
            await notifications.push(owner.id, kind, [id], "New order", "Order 12")
            for kind, id in (("owner", owner.id), ("staff", waiter["id"]))
        ]

    return send


async def test_owner_and_staff_receive_messages_on_their_own_devices(owner_phone, waiter_phone, push):
    assert await push() == [0, 0]

    assert (await owner_phone.send("POST", "/api/v1/app/devices", DEVICE)).document == {"registered": True}
    assert await push() == [1, 0]

    await waiter_phone.send("POST", "/api/v1/app/devices", {**DEVICE, "token": "another"})
    assert await push() == [1, 1]


async def test_unregistered_device_receives_nothing(owner_phone, push):
    await owner_phone.send("POST", "/api/v1/app/devices", DEVICE)

    for _ in range(2):
        reply = await owner_phone.send("POST", "/api/v1/app/devices/unregister", {"token": DEVICE["token"]})
        assert (reply.status, reply.document) == (200, {"registered": False})
    assert await push() == [0, 0]


async def test_device_of_another_person_stays_registered(owner_phone, waiter_phone, push):
    await owner_phone.send("POST", "/api/v1/app/devices", DEVICE)

    await waiter_phone.send("POST", "/api/v1/app/devices/unregister", {"token": DEVICE["token"]})

    assert await push() == [1, 0]


async def test_logout_ends_the_messages(owner_phone, push):
    await owner_phone.send("POST", "/api/v1/app/devices", DEVICE)

    await owner_phone.send("POST", "/api/v1/app/auth/logout")

    assert await push() == [0, 0]


@pytest.mark.parametrize("change", [{"platform": "windows"}, {"token": ""}, {"token": None}])
async def test_invalid_device_is_refused(owner_phone, push, change):
    reply = await owner_phone.send("POST", "/api/v1/app/devices", {**DEVICE, **change})

    assert list(reply.errors) == list(change)
    assert await push() == [0, 0]


async def test_devices_need_a_token(phone):
    for path in ("/api/v1/app/devices", "/api/v1/app/devices/unregister"):
        assert (await phone.send("POST", path, DEVICE)).status == 401
