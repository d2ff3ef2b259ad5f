"""What guessing finds: many tries, devices and addresses, and what answers and their times give away."""

import asyncio
import statistics
import time

import pytest
from comanda.accounts import passwords
from comanda.db import sql
from comanda_staff.services import lockout, pins

PASSWORD = "lemon tart at dawn"


@pytest.fixture
def attack(store):
    """Send a login from an address of its own, so that no limit but those of identities stands in the way."""
    numbers = iter(range(1, 60_000))

    async def send(way, **body):
        number = next(numbers)
        address = f"198.51.{number // 250}.{number % 250}"
        path = f"/api/v1/restaurants/{store.id}/staff/{way}"
        response = await store.client.post(path, json=body, scope_base={"client": (address, 4711)})
        document = await response.get_json()
        return response.status_code, document

    return send


@pytest.fixture
def notices(owner):
    async def read():
        return await sql.fetch(
            "SELECT address, subject, text FROM notifications_message WHERE owner_id = $1 AND purpose = $2",
            owner.id, "staff.pin_paused",
        )  # fmt: skip

    return read


@pytest.fixture
def quick(monkeypatch):
    """Let hashes cost nothing, where what is counted is counted."""
    monkeypatch.setattr(pins, "_derive_hash", lambda secret, salt: secret)


async def test_a_device_is_locked_out_after_five_wrong_pins(employ, attack, clock, quick):
    person = await employ(pin="7391")

    answers = [await attack("pin", pin=f"00{number:02}", device="till") for number in range(8)]

    assert [status for status, _ in answers] == [401] * 5 + [429] * 3
    assert answers[-1][1]["retry_after"] > 14 * 60
    # The right PIN does not help now, another device does, and knocking makes it no longer.
    assert (await attack("pin", pin="7391", device="till"))[0] == 429
    assert (await attack("pin", pin="7391", device="bar"))[0] == 200
    clock.advance(minutes=15, seconds=1)
    assert (await attack("pin", pin="7391", device="till"))[0] == 200
    assert person.pin == "7391"


async def test_a_lock_begins_with_the_fifth_failure_not_with_the_first(employ, attack, clock, quick):
    await employ(pin="7391")
    for number in range(5):
        await attack("pin", pin=f"00{number:02}", device="till")
        clock.advance(minutes=3)

    assert (await attack("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=11)
    assert (await attack("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=2)
    assert (await attack("pin", pin="7391", device="till"))[0] == 200


async def test_many_devices_and_addresses_get_thirty_guesses_an_hour(employ, attack, clock, notices, owner, quick):
    await employ(pin="7391")

    answers = [await attack("pin", pin=f"{number:04}", device=f"device-{number}") for number in range(200)]

    assert [status for status, _ in answers] == [401] * 30 + [429] * 170
    assert (await attack("pin", pin="7391", device="till"))[0] == 429
    [notice] = await notices()
    assert notice["address"] == owner.email
    assert "30 wrong PINs" in notice["text"]
    clock.advance(minutes=59)
    assert (await attack("pin", pin="7391", device="till"))[0] == 429
    clock.advance(minutes=2)
    assert (await attack("pin", pin="7391", device="till"))[0] == 200


async def test_guesses_at_the_same_moment_are_counted_each(employ, attack, notices, quick):
    await employ(pin="7391")

    answers = await asyncio.gather(
        *(attack("pin", pin=f"{number:04}", device=f"device-{number}") for number in range(80))
    )

    assert sorted(status for status, _ in answers) == [401] * 30 + [429] * 50
    assert len(await notices()) == 1


async def test_email_and_password_work_while_pins_are_paused(employ, attack, quick):
    person = await employ(pin="7391")
    for number in range(31):
        await attack("pin", pin=f"{number:04}", device=f"device-{number}")

    assert (await attack("login", email=person.email, password=PASSWORD))[0] == 200


async def test_a_store_in_which_nobody_is_wrong_is_never_paused(employ, attack, quick, notices):
    await employ(pin="7391")

    answers = await asyncio.gather(*(attack("pin", pin="7391", device=f"till-{number}") for number in range(20)))
    answers += [await attack("pin", pin="7391", device=f"till-{number}") for number in range(40)]

    assert [status for status, _ in answers] == [200] * 60
    assert await notices() == []


async def test_a_locked_device_does_not_lock_the_store(employ, attack, quick, notices):
    await employ(pin="7391")
    for number in range(100):
        await attack("pin", pin=f"{number:04}", device="till")

    assert (await attack("pin", pin="7391", device="bar"))[0] == 200
    assert await notices() == []


async def test_one_store_pays_nothing_for_anothers_guesses(employ, attack, open_store, quick):
    elsewhere = await open_store("restaurant")
    person = await employ(at=elsewhere, pin="7391")
    for number in range(40):
        await attack("pin", pin=f"{number:04}", device=f"device-{number}")

    assert (await person.enter()).status == 200


async def test_a_password_is_guessed_ten_times_from_all_addresses_together(employ, attack, clock):
    person = await employ()

    answers = [await attack("login", email=person.email, password=f"guess {number}") for number in range(14)]

    assert [status for status, _ in answers] == [401] * 10 + [429] * 4
    assert (await attack("login", email=person.email, password=PASSWORD))[0] == 429
    clock.advance(minutes=15, seconds=1)
    assert (await attack("login", email=person.email, password=PASSWORD))[0] == 200


async def test_one_address_gets_ten_tries_a_minute(employ):
    person = await employ()

    statuses = [(await person.login()).status for _ in range(12)]

    # The minute may turn in between.
    assert statuses.count(429) in {0, 2}
    assert statuses[:10].count(200) == 10


async def test_no_answer_tells_whether_an_email_is_known(employ, attack):
    known, inactive, without = await employ(), await employ(is_active=False), await employ(password=None, pin="7391")

    answers = [
        await attack("login", email=email, password="not the password", device="d")
        for email in (known.email, inactive.email, without.email, "nobody@example.com", "no address at all")
    ]
    for _, document in answers:
        document.pop("request_id", None)

    assert [status for status, _ in answers] == [401] * 5
    assert all(document == answers[0][1] for _, document in answers)
    locked = [
        [(await attack("login", email=email, password="x", device="d"))[0] for _ in range(11)][-1]
        for email in (known.email, "nobody@example.com")
    ]
    assert locked == [429, 429]


async def test_no_time_tells_whether_an_email_is_known(employ, monkeypatch):
    # What takes long is the hash: it is made once for each try, whoever is tried.
    hashed = []
    verify = passwords._verify
    monkeypatch.setattr(passwords, "_verify", lambda *args: (hashed.append(args[1] is not None), verify(*args))[1])
    known, unknown = await employ(), await employ()
    unknown.email = "nobody@example.com"

    async def measure(person):
        started = time.perf_counter()
        assert (await person.login(password="not the password")).status == 401
        return time.perf_counter() - started

    times = [(await measure(known), await measure(unknown)) for _ in range(5)]

    assert hashed == [True, False] * 5
    slow, quick = statistics.median(pair[0] for pair in times), statistics.median(pair[1] for pair in times)
    assert 0.3 < slow / quick < 3


async def test_counts_that_are_over_are_forgotten(store, employ, attack, clock, quick):
    await employ(pin="7391")
    await attack("pin", pin="0001", device="till")
    clock.advance(days=3)

    await lockout.delete_expired_attempts()

    assert await sql.fetch_value("SELECT count(*) FROM staff_pin_try WHERE store_id = $1", store.id) == 0
