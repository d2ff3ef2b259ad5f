"""Owners' passwords: rules, login, lockout, and what a guesser can learn."""

import asyncio
from itertools import count

import pytest
from comanda.accounts import administration, owner_login, passwords, web_sessions
from comanda.accounts.owner_login import login_owner, set_owner_password
from comanda.basics.errors import NotFound, RateLimited, Unauthenticated, ValidationFailed
from comanda.contracts.web.sign_in import PasswordAttempt
from comanda.platform.db import sql

PASSWORD = "correct horse battery"
# Each test comes from networks of its own: the attempts of a network count for 15 minutes.
_networks = count(1)


@pytest.fixture
def network():
    return f"test-{next(_networks)}-{id(object())}"


@pytest.fixture
async def person(owner):
    await set_owner_password(owner.id, PASSWORD)
    return owner


async def test_right_password_logs_the_owner_in(person, network):
    found = await login_owner(f"  {person.email.upper()} ", PASSWORD, network)

    assert (found.id, found.email, found.name) == (person.id, person.email, "Test Owner")


async def test_password_is_stored_as_argon2_hash(person):
    stored = await sql.fetch_value("SELECT password_hash FROM core_owner WHERE id = $1", person.id)

    assert stored.startswith("$argon2id$")
    assert PASSWORD not in stored


@pytest.mark.parametrize("password", ["short", "x" * 129, "password123", "Password123"])
async def test_weak_password_is_refused_and_the_old_one_stays(person, network, password):
    with pytest.raises(ValidationFailed):
        await set_owner_password(person.id, password)

    assert (await login_owner(person.email, PASSWORD, network)).id == person.id


async def test_password_may_not_be_the_email(owner):
    with pytest.raises(ValidationFailed):
        await set_owner_password(owner.id, owner.email)


async def test_password_of_unknown_owner_is_not_found():
    with pytest.raises(NotFound):
        await set_owner_password(987_654_321_000, PASSWORD)


async def test_wrong_password_unknown_email_and_no_password_look_the_same(person, other_owner, network):
    answers = []
    for email, password in (
        (person.email, "wrong password"),
        ("nobody@example.com", PASSWORD),
        (other_owner.email, PASSWORD),
        (other_owner.email, ""),
        ("", ""),
        ("nul\0@example.com", PASSWORD),
    ):
        with pytest.raises(Unauthenticated) as caught:
            await login_owner(email, password, network)
        answers.append(caught.value.envelope())

    assert answers[0]["reason"] == "invalid_credentials"
    assert all(answer == answers[0] for answer in answers)


async def test_unknown_email_takes_as_much_work(person, network, monkeypatch):
    """A hash is checked in either case: time would tell otherwise, and this tells more surely than a clock."""
    checked = []
    verify = passwords._verify
    monkeypatch.setattr(passwords, "_verify", lambda *values: checked.append(values[1]) or verify(*values))

    for email in (person.email, "nobody@example.com"):
        with pytest.raises(Unauthenticated):
            await login_owner(email, "wrong password", network)

    assert len(checked) == 2
    assert checked[0].startswith("$argon2id$")
    assert checked[1] is None  # for which the dummy hash is checked
    parameters = [text.split("$")[3] for text in (checked[0], passwords._get_dummy_hash())]
    assert parameters[0] == parameters[1]


async def test_ten_failures_lock_the_email_from_everywhere(person, clock):
    for number in range(10):
        with pytest.raises(Unauthenticated):
            await login_owner(person.email, "wrong password", f"one-{number}-{person.id}")
    with pytest.raises(RateLimited) as caught:
        await login_owner(person.email, PASSWORD, f"other-{person.id}")
    assert 0 < int(caught.value.headers["Retry-After"]) <= 901

    clock.advance(minutes=15, seconds=1)

    assert (await login_owner(person.email, PASSWORD, f"third-{person.id}")).id == person.id


async def test_unknown_email_is_locked_as_a_known_one_is(network):
    email = f"nobody-{network}@example.com"
    for _ in range(10):
        with pytest.raises(Unauthenticated):
            await login_owner(email, PASSWORD, network)
    with pytest.raises(RateLimited):
        await login_owner(email, PASSWORD, network)


async def test_parallel_guesses_all_count(person, network):
    answers = await asyncio.gather(
        *(login_owner(person.email, f"wrong {number}", network) for number in range(25)), return_exceptions=True
    )

    assert sorted(type(answer).__name__ for answer in answers) == ["RateLimited"] * 15 + ["Unauthenticated"] * 10


async def test_success_resets_the_lock_of_the_email_alone(person, network):
    for _ in range(3):
        for _ in range(9):
            with pytest.raises(Unauthenticated):
                await login_owner(person.email, "wrong password", network)
        await login_owner(person.email, PASSWORD, network)


async def test_one_password_for_many_emails_locks_the_network(person, network, monkeypatch):
    monkeypatch.setattr(owner_login, "ATTEMPTS_PER_NETWORK", owner_login.ATTEMPTS_PER_OWNER)
    for number in range(9):
        with pytest.raises(Unauthenticated):
            await login_owner(f"nobody-{number}-{network}@example.com", PASSWORD, network)
    await login_owner(person.email, PASSWORD, network)

    with pytest.raises(RateLimited):
        await login_owner(person.email, PASSWORD, network)
    assert (await login_owner(person.email, PASSWORD, f"{network}-other")).id == person.id


async def test_suspension_is_told_to_the_owner_alone(person, network):
    await administration.suspend_owner(person.id, "Unpaid")

    with pytest.raises(NotFound) as caught:
        await login_owner(person.email, PASSWORD, network)
    assert caught.value.extras == {"reason": "account_suspended"}
    with pytest.raises(Unauthenticated):
        await login_owner(person.email, "wrong password", network)


async def test_login_with_the_old_password_opens_no_session_after_the_change(person, network):
    before = await login_owner(person.email, PASSWORD, network)
    await set_owner_password(person.id, "another horse battery")

    with pytest.raises(Unauthenticated):
        async with sql.transaction():
            await owner_login.lock_login(before)


async def sign_in(email, password, network):
    login = owner_login.OwnerPasswordLogin()
    verified = await login.verify(PasswordAttempt(email, password, network))
    return await login.open_session(verified, None, "Firefox")


async def test_no_session_outlives_a_password_change_in_parallel(person, network):
    """However a login and a change meet: afterwards, the old password has no session."""
    # With three logins each: after ten failures in a row the owner would have to wait.
    for number in range(3):
        new = f"horse battery number {number}"
        old = PASSWORD if number == 0 else f"horse battery number {number - 1}"
        answers = await asyncio.gather(
            *(sign_in(person.email, old, network) for _ in range(3)),
            set_owner_password(person.id, new),
            return_exceptions=True,
        )
        assert {type(answer) for answer in answers} <= {str, Unauthenticated, type(None)}
        assert await web_sessions.list_sessions(person.id, "owner") == []


async def test_hash_with_old_parameters_is_replaced_at_login(person, network, monkeypatch):
    weaker = passwords.PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    await sql.execute("UPDATE core_owner SET password_hash = $2 WHERE id = $1", person.id, weaker)

    found = await login_owner(person.email, PASSWORD, network)

    stored = await sql.fetch_value("SELECT password_hash FROM core_owner WHERE id = $1", person.id)
    assert stored != weaker
    async with sql.transaction():
        await owner_login.lock_login(found)
