"""Devices: who hears what, for how long, and what becomes of a device that is no more."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import services as accounts
from comanda.contracts.callers import Caller, CallerKind
from comanda.contracts.messaging import RecipientGone, Undeliverable
from comanda.db import sql
from comanda.errors import Forbidden, ValidationFailed
from comanda_notifications import api, settings, tasks

COURIER = CallerKind("courier", "cou_", lifetime=timedelta(days=30))


@pytest.fixture
def log_in(owner):
    """Log a courier in and return the caller."""

    async def make(subject_id=7, of=None):
        owner_id = (of or owner).id
        issued = await accounts.issue_token(COURIER, owner_id, [], name="phone", subject_id=subject_id)
        return Caller("courier", issued.id, owner_id, None, subject_id, frozenset(), issued.expires_at)

    return make


@pytest.fixture
def pushed(owner):
    """List what was stored for devices, as ``(token, title, text, platform)``."""

    async def read():
        rows = await sql.fetch(
            "SELECT address, subject, text, platform FROM notifications_message WHERE owner_id = $1 ORDER BY id",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


@pytest.fixture
def devices(owner):
    async def read():
        rows = await sql.fetch(
            "SELECT token, subject_id FROM notifications_device WHERE owner_id = $1 ORDER BY id", owner.id
        )
        return [tuple(row) for row in rows]

    return read


async def test_each_device_of_those_named_gets_one_message(owner, other_owner, log_in, pushed, senders, gateway):
    await api.register_device(await log_in(7), "ios", "phone-7", "1.2", "pt-PT")
    await api.register_device(await log_in(7), "web", "laptop-7")
    await api.register_device(await log_in(8), "android", "phone-8")
    await api.register_device(await log_in(9), "android", "phone-9")
    await api.register_device(await log_in(7, other_owner), "android", "phone-of-another-owner")

    count = await api.push(owner.id, "courier", [7, 8], "New delivery", "Rua do Carmo 2", {"order_id": 12})

    assert count == 3
    assert await pushed() == [
        ("phone-7", "New delivery", "Rua do Carmo 2", "ios"),
        ("laptop-7", "New delivery", "Rua do Carmo 2", "web"),
        ("phone-8", "New delivery", "Rua do Carmo 2", "android"),
    ]
    assert await senders["push"].work_off() == 3
    assert all(b'"data":{"order_id":12}' in body for _, body in gateway.received)


async def test_a_device_hears_nothing_once_its_token_is_void(owner, log_in, devices, clock):
    first, second, third = [await log_in(7) for _ in range(3)]
    for number, caller in enumerate((first, second, third)):
        await api.register_device(caller, "web", f"device-{number}")

    await accounts.revoke_token(owner.id, first.token_id)
    assert await api.push(owner.id, "courier", [7], "a", "b") == 2
    clock.advance(days=31)
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0

    await tasks.prune()
    assert await devices() == []


async def test_registering_again_renews_and_a_shared_device_is_the_last_ones(owner, log_in, devices):
    await api.register_device(await log_in(7), "ios", "shared")
    await api.register_device(await log_in(7), "ios", "shared", "1.3")
    assert await devices() == [("shared", 7)]

    await api.register_device(await log_in(8), "ios", " shared ")

    assert await devices() == [("shared", 8)]
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0


async def test_devices_registered_at_the_same_moment_are_one(log_in, devices):
    caller = await log_in(7)

    await asyncio.gather(*(api.register_device(caller, "ios", "same") for _ in range(8)))

    assert await devices() == [("same", 7)]


async def test_only_ones_own_device_is_unregistered(log_in, devices):
    mine, theirs = await log_in(7), await log_in(8)
    await api.register_device(mine, "ios", "mine")
    await api.register_device(theirs, "ios", "theirs")

    assert await api.unregister_device(mine, "theirs") == {"registered": False}
    assert await api.unregister_device(mine, "mine") == {"registered": False}
    assert await api.unregister_device(mine, "mine") == {"registered": False}

    assert await devices() == [("theirs", 8)]


async def test_a_deactivated_persons_devices_go(owner, other_owner, log_in, devices):
    await api.register_device(await log_in(7), "ios", "seven")
    await api.register_device(await log_in(8), "ios", "eight")

    await api.forget_devices(other_owner.id, "courier", 8)
    await api.forget_devices(owner.id, "courier", 7)

    assert await devices() == [("eight", 8)]


@pytest.mark.parametrize(
    ("error", "left"), [(RecipientGone("no more"), []), (Undeliverable("too long"), [("device", 7)])]
)
async def test_a_device_that_its_push_service_knows_no_more_goes(owner, log_in, devices, senders, carrier, error, left):
    await api.register_device(await log_in(7), "ios", "device")
    await api.push(owner.id, "courier", [7], "a", "b")
    carrier.error = error

    assert await senders["push"].work_off() == 1

    assert await devices() == left


@pytest.mark.parametrize(("status", "left"), [(410, 0), (422, 1), (500, 1)])
async def test_a_gateway_says_so_with_410(owner, log_in, devices, senders, gateway, status, left):
    await api.register_device(await log_in(7), "ios", "device")
    await api.push(owner.id, "courier", [7], "a", "b")
    gateway.status = status

    assert await senders["push"].work_off() == 1

    assert len(await devices()) == left


async def test_a_repeated_cause_is_heard_once(owner, log_in, pushed):
    await api.register_device(await log_in(7), "ios", "device")
    for _ in range(2):
        await api.push(owner.id, "courier", [7], "a", "b", once="offer:1")

    assert len(await pushed()) == 1


async def test_a_device_that_had_enough_is_left_out(owner, log_in, monkeypatch):
    await api.register_device(await log_in(7), "ios", "device")

    monkeypatch.setattr(settings.current(), "max_per_address_per_hour", 1)

    assert await api.push(owner.id, "courier", [7], "a", "b") == 1
    assert await api.push(owner.id, "courier", [7], "a", "b") == 0


async def test_nobody_has_more_than_twenty_devices(log_in, devices, clock):
    caller = await log_in(7)
    for number in range(22):
        await api.register_device(caller, "ios", f"device-{number}")
        clock.advance(seconds=1)

    assert [token for token, _ in await devices()] == [f"device-{number}" for number in range(2, 22)]


async def test_what_is_no_device_is_refused(owner, log_in, devices):
    caller = await log_in(7)
    for platform, token in (("toaster", "token"), ("ios", " "), ("ios", "a\0b"), ("ios", "a" * 4097)):
        with pytest.raises(ValidationFailed):
            await api.register_device(caller, platform, token)
    with pytest.raises(Forbidden):
        await api.register_device(owner.caller, "ios", "token")

    assert await devices() == []
