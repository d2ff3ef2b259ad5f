"""Push devices."""

import asyncio
from dataclasses import replace

import pytest
from comanda.accounts import services as accounts
from comanda.basics import Forbidden, ValidationFailed
from comanda.contracts import RecipientGone, Undeliverable
from comanda.platform.db import sql
from comanda_notifications import api, settings, tasks
from comanda_notifications.records import DeviceRegistration


@pytest.fixture
def read_push_messages(owner):
    """List what was stored for devices, as ``(token, title, text, platform)``."""

    async def read():
        rows = await sql.fetch(
            "SELECT address, subject, text, platform FROM notifications_message WHERE owner_id = $1 ORDER BY id",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


async def test_each_device_gets_one_message(owner, other_owner, log_in_courier, read_push_messages, senders, gateway):
    await api.register_device(await log_in_courier(7), "ios", "phone-7", "1.2", "pt-PT")
    await api.register_device(await log_in_courier(7), "web", "laptop-7")
    await api.register_device(await log_in_courier(8), "android", "phone-8")
    await api.register_device(await log_in_courier(9), "android", "phone-9")
    await api.register_device(await log_in_courier(7, other_owner), "android", "phone-of-another-owner")

    count = await api.push(owner.id, "courier", [7, 8], "New delivery", "Rua do Carmo 2", {"order_id": 12})

    assert count == 3
    assert await read_push_messages() == [
        ("phone-7", "New delivery", "Rua do Carmo 2", "ios"),
        ("laptop-7", "New delivery", "Rua do Carmo 2", "web"),
        ("phone-8", "New delivery", "Rua do Carmo 2", "android"),
    ]
    assert await senders["push"].process_all_due() == 3
    assert all(b'"data":{"order_id":12}' in body for _, body in gateway.received)


async def test_device_is_inactive_once_token_is_revoked(owner, log_in_courier, read_devices, clock):
    first, second, third = [await log_in_courier(7) for _ in range(3)]
    for number, caller in enumerate((first, second, third)):
        await api.register_device(caller, "web", f"device-{number}")

    await accounts.revoke_token(owner.id, first.token_id)
    assert await api.push(owner.id, "courier", [7], "a", "b") == 2
    clock.advance(days=31)
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0

    await tasks.prune()
    assert await read_devices() == []


async def test_registration_renews_device_or_moves_it(owner, log_in_courier, read_devices):
    await api.register_device(await log_in_courier(7), "ios", "shared")
    await api.register_device(await log_in_courier(7), "ios", "shared", "1.3")
    assert await read_devices() == [("shared", 7)]

    await api.register_device(await log_in_courier(8), "ios", " shared ")

    assert await read_devices() == [("shared", 8)]
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0


async def test_concurrent_registrations_create_one_device(log_in_courier, read_devices):
    caller = await log_in_courier(7)

    await asyncio.gather(*(api.register_device(caller, "ios", "same") for _ in range(8)))

    assert await read_devices() == [("same", 7)]


async def test_only_own_device_is_unregistered(log_in_courier, read_devices):
    mine, theirs = await log_in_courier(7), await log_in_courier(8)
    await api.register_device(mine, "ios", "mine")
    await api.register_device(theirs, "ios", "theirs")

    assert await api.unregister_device(mine, "theirs") == DeviceRegistration(registered=False)
    assert await api.unregister_device(mine, "mine") == DeviceRegistration(registered=False)
    assert await api.unregister_device(mine, "mine") == DeviceRegistration(registered=False)

    assert await read_devices() == [("theirs", 8)]


async def test_devices_of_person_are_deleted(owner, other_owner, log_in_courier, read_devices):
    await api.register_device(await log_in_courier(7), "ios", "seven")
    await api.register_device(await log_in_courier(8), "ios", "eight")

    await api.delete_devices(other_owner.id, "courier", 8)
    await api.delete_devices(owner.id, "courier", 7)

    assert await read_devices() == [("eight", 8)]


@pytest.mark.parametrize(
    ("error", "left"), [(RecipientGone("no more"), []), (Undeliverable("too long"), [("device", 7)])]
)
async def test_device_with_invalid_push_token_is_deleted(
    owner, log_in_courier, read_devices, senders, carrier, error, left
):
    await api.register_device(await log_in_courier(7), "ios", "device")
    await api.push(owner.id, "courier", [7], "a", "b")
    carrier.error = error

    assert await senders["push"].process_all_due() == 1

    assert await read_devices() == left


async def test_once_sends_one_push_per_device(owner, log_in_courier, read_push_messages):
    await api.register_device(await log_in_courier(7), "ios", "device")
    for _ in range(2):
        await api.push(owner.id, "courier", [7], "a", "b", once="offer:1")

    assert len(await read_push_messages()) == 1


async def test_rate_limited_device_is_skipped(owner, log_in_courier, monkeypatch):
    await api.register_device(await log_in_courier(7), "ios", "device")

    monkeypatch.setattr(settings.get_settings(), "max_per_address_per_hour", 1)

    assert await api.push(owner.id, "courier", [7], "a", "b") == 1
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0


async def test_devices_per_person_are_limited_to_20(log_in_courier, read_devices, clock):
    caller = await log_in_courier(7)
    for number in range(22):
        await api.register_device(caller, "ios", f"device-{number}")
        clock.advance(seconds=1)

    assert [token for token, _ in await read_devices()] == [f"device-{number}" for number in range(2, 22)]


async def test_invalid_device_is_rejected(owner, log_in_courier, read_devices):
    caller = await log_in_courier(7)
    for platform, token in (("toaster", "token"), ("ios", " "), ("ios", "a\0b"), ("ios", "a" * 4097)):
        with pytest.raises(ValidationFailed):
            await api.register_device(caller, platform, token)
    with pytest.raises(Forbidden):
        await api.register_device(replace(owner.caller, kind="storefront"), "ios", "token")

    assert await read_devices() == []


async def test_owner_is_the_subject_of_their_own_devices(owner, other_owner, read_push_messages):
    await api.register_device(owner.caller, "ios", "phone-of-owner")
    await api.register_device(other_owner.caller, "ios", "phone-of-another-owner")

    assert await api.push(owner.id, "owner", [owner.id, other_owner.id], "New order", "Order 12") == 1

    assert await read_push_messages() == [("phone-of-owner", "New order", "Order 12", "ios")]
    await api.unregister_device(owner.caller, "phone-of-owner")
    assert await api.push(owner.id, "owner", [owner.id], "New order", "Order 13") == 0
