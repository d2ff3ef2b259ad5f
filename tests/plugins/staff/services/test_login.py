"""Login, concurrency and password guessing."""

import asyncio
import statistics
import time

from comanda.accounts import passwords

PASSWORD = "lemon tart at dawn"


async def test_no_login_survives_concurrent_deactivation(create_member):
    person = await create_member()

    replies = await asyncio.gather(person.update(is_active=False), *(person.log_in() for _ in range(4)))

    assert replies[0].status == 200
    for reply in replies[1:]:
        if reply.status == 200:
            person.token = reply["token"]
            assert (await person.send("GET", "/me")).status == 401


async def test_password_attempts_are_limited_across_addresses(create_member, attempt_login, clock):
    person = await create_member()

    answers = [await attempt_login("login", email=person.email, password=f"guess {number}") for number in range(14)]

    assert [status for status, _ in answers] == [401] * 10 + [429] * 4
    assert (await attempt_login("login", email=person.email, password=PASSWORD))[0] == 429
    clock.advance(minutes=15, seconds=1)
    assert (await attempt_login("login", email=person.email, password=PASSWORD))[0] == 200


async def test_response_does_not_reveal_known_email(create_member, attempt_login):
    known, inactive, without = (
        await create_member(),
        await create_member(is_active=False),
        await create_member(password=None, pin="7391"),
    )

    answers = [
        await attempt_login("login", email=email, password="not the password", device="d")
        for email in (known.email, inactive.email, without.email, "nobody@example.com", "no address at all")
    ]
    for _, document in answers:
        document.pop("request_id", None)

    assert [status for status, _ in answers] == [401] * 5
    assert all(document == answers[0][1] for _, document in answers)
    locked = [
        [(await attempt_login("login", email=email, password="x", device="d"))[0] for _ in range(11)][-1]
        for email in (known.email, "nobody@example.com")
    ]
    assert locked == [429, 429]


async def test_timing_does_not_reveal_known_email(create_member, monkeypatch):
    # What takes long is the hash: it is made once for each try, whoever is tried.
    hashed = []
    verify = passwords._verify
    monkeypatch.setattr(passwords, "_verify", lambda *args: (hashed.append(args[1] is not None), verify(*args))[1])
    known, unknown = await create_member(), await create_member()
    unknown.email = "nobody@example.com"

    async def measure(person):
        started = time.process_time()
        assert (await person.log_in(password="not the password")).status == 401
        return time.process_time() - started

    times = [(await measure(known), await measure(unknown)) for _ in range(5)]

    assert hashed == [True, False] * 5
    slow, quick = statistics.median(pair[0] for pair in times), statistics.median(pair[1] for pair in times)
    assert 0.3 < slow / quick < 3
