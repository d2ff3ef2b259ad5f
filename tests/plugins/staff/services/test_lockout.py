"""Lockout of PIN logins."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_staff.services import lockout

PASSWORD = "lemon tart at dawn"


@pytest.fixture
def read_notices(owner):
    async def read():
        return await sql.fetch(
            "SELECT address, subject, text FROM notifications_message WHERE owner_id = $1 AND purpose = $2",
            owner.id, "staff.pin_paused",
        )  # fmt: skip

    return read


async def test_device_is_locked_after_five_wrong_pins(create_member, attempt_login, clock):
    person = await create_member(pin="7391")

    answers = [await attempt_login("pin", pin=f"00{number:02}", device="till") for number in range(8)]

    assert [status for status, _ in answers] == [401] * 5 + [429] * 3
    assert answers[-1][1]["retry_after"] > 14 * 60
    # The right PIN does not help now, another device does, and knocking makes it no longer.
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 429
    assert (await attempt_login("pin", pin="7391", device="bar"))[0] == 200
    clock.advance(minutes=15, seconds=1)
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 200
    assert person.pin == "7391"


async def test_lock_starts_with_fifth_failure(create_member, attempt_login, clock):
    await create_member(pin="7391")
    for number in range(5):
        await attempt_login("pin", pin=f"00{number:02}", device="till")
        clock.advance(minutes=3)

    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=11)
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=2)
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 200


async def test_store_allows_30_wrong_pins_an_hour(create_member, attempt_login, clock, read_notices, owner):
    await create_member(pin="7391")

    answers = [await attempt_login("pin", pin=f"{number:04}", device=f"device-{number}") for number in range(200)]

    assert [status for status, _ in answers] == [401] * 30 + [429] * 170
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 429
    [notice] = await read_notices()
    assert notice["address"] == owner.email
    assert "30 wrong PINs" in notice["text"]
    clock.advance(minutes=59)
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=2)
    assert (await attempt_login("pin", pin="7391", device="till"))[0] == 200


async def test_concurrent_attempts_are_each_counted(create_member, attempt_login, read_notices):
    await create_member(pin="7391")

    answers = await asyncio.gather(
        *(attempt_login("pin", pin=f"{number:04}", device=f"device-{number}") for number in range(80))
    )

    assert sorted(status for status, _ in answers) == [401] * 30 + [429] * 50
    assert len(await read_notices()) == 1


async def test_password_login_works_while_pins_are_paused(create_member, attempt_login):
    person = await create_member(pin="7391")
    for number in range(31):
        await attempt_login("pin", pin=f"{number:04}", device=f"device-{number}")

    assert (await attempt_login("login", email=person.email, password=PASSWORD))[0] == 200


async def test_correct_pins_never_pause_store(create_member, attempt_login, read_notices):
    await create_member(pin="7391")

    answers = await asyncio.gather(*(attempt_login("pin", pin="7391", device=f"till-{number}") for number in range(20)))
    answers += [await attempt_login("pin", pin="7391", device=f"till-{number}") for number in range(40)]

    assert [status for status, _ in answers] == [200] * 60
    assert await read_notices() == []


async def test_locked_device_does_not_lock_store(create_member, attempt_login, read_notices):
    await create_member(pin="7391")
    for number in range(100):
        await attempt_login("pin", pin=f"{number:04}", device="till")

    assert (await attempt_login("pin", pin="7391", device="bar"))[0] == 200
    assert await read_notices() == []


async def test_attempts_in_one_store_do_not_affect_another(create_member, attempt_login, open_store):
    elsewhere = await open_store("restaurant")
    person = await create_member(at=elsewhere, pin="7391")
    for number in range(40):
        await attempt_login("pin", pin=f"{number:04}", device=f"device-{number}")

    assert (await person.log_in_by_pin()).status == 200


async def test_expired_attempts_are_deleted(store, create_member, attempt_login, clock):
    await create_member(pin="7391")
    await attempt_login("pin", pin="0001", device="till")
    clock.advance(days=3)

    await lockout.delete_expired_attempts()

    assert await sql.fetch_value("SELECT count(*) FROM staff_pin_try WHERE store_id = $1", store.id) == 0
