"""Web sessions: found by their cookie's secret alone, and ended in every way that ends them."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import owner_login, services, tokens
from comanda.accounts.web_sessions import create_session, end_session, end_sessions_of, find_session, list_sessions
from comanda.basics.errors import NotFound
from comanda.basics.owner_prefix import add_owner_prefix
from comanda.contracts.requests.callers import CallerKind
from comanda.platform.db import sql

GADGET = CallerKind("gadget", "gad_")


async def test_session_is_found_by_its_secret_and_acts_as_the_person(owner):
    secret, session = await create_session(owner_id=owner.id, name="Firefox on Linux")

    found = await find_session(secret)

    assert found == session
    caller = found.caller
    assert (caller.kind, caller.owner_id, caller.subject_id, caller.token_id) == ("owner", owner.id, None, 0)
    assert caller.may("orders:write")


async def test_session_of_a_customer_is_found_among_customers_alone(owner):
    customers, _ = await create_session(owner_id=owner.id, kind="customer", subject_id=7)
    owners, _ = await create_session(owner_id=owner.id)

    found = await find_session(customers, of_customer=True)

    assert found is not None
    assert (found.kind, found.subject_id) == ("customer", 7)
    assert await find_session(customers) is None
    assert await find_session(owners, of_customer=True) is None


async def test_secret_is_stored_as_hash_alone(owner):
    secret, session = await create_session(owner_id=owner.id)

    row = await sql.fetch_value("SELECT to_jsonb(s)::text FROM core_web_session s WHERE id = $1", session.id)

    assert tokens.hash_token(secret).hex() in row
    assert secret not in row
    assert secret[-46:] not in row
    assert session.csrf_token not in row


async def test_each_session_has_a_secret_and_form_token_of_its_own(owner):
    made = [await create_session(owner_id=owner.id) for _ in range(3)]

    assert len({secret for secret, _ in made}) == len({session.csrf_token for _, session in made}) == 3


async def test_forged_secret_finds_nothing_and_asks_no_database(owner, other_owner, monkeypatch):
    secret, _ = await create_session(owner_id=owner.id)
    random = secret[-46:]
    noise = ["", "ses_", "x", "\0", "ses_" + "é" * 50, secret[4:], secret[:-1], secret + "a", f"own_{secret[4:]}"]
    noise += [
        "ses_" + random,
        "ses_-" + random,
        f"ses_{'z' * 12}{random}",
        secret[:-1] + ("a" if secret[-1] != "a" else "b"),
    ]
    assert await find_session("ses_" + add_owner_prefix(other_owner.id, random)) is None
    assert await find_session("ses_" + add_owner_prefix(owner.id, tokens.generate_token(""))) is None

    async def refuse(*_):
        raise AssertionError("The database was asked.")

    monkeypatch.setattr(sql, "fetch_one", refuse)
    assert [each for each in noise if await find_session(each) is not None] == []


async def test_access_token_is_no_session_and_session_no_token(client, owner):
    secret, _ = await create_session(owner_id=owner.id)

    assert await find_session(owner.token) is None
    refused = await client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert refused.status_code == 401


async def test_unused_session_expires_after_two_weeks(owner, clock):
    secret, _ = await create_session(owner_id=owner.id)
    clock.advance(days=13, hours=23)
    assert await find_session(secret) is not None
    clock.advance(days=14, seconds=1)
    assert await find_session(secret) is None


async def test_used_session_ends_after_thirty_days(owner, clock, run_task):
    secret, _ = await create_session(owner_id=owner.id)
    for _ in range(29):
        clock.advance(days=1)
        assert await find_session(secret) is not None
    found = await find_session(secret)
    assert found.expires_at == found.created_at + timedelta(days=30)

    clock.advance(days=1)

    assert await find_session(secret) is None
    await run_task("prune_web_sessions")
    assert await sql.fetch_value("SELECT count(*) FROM core_web_session WHERE owner_id = $1", owner.id) == 0


async def test_shorter_lifetime_is_kept_and_a_longer_one_capped(owner, clock):
    short, _ = await create_session(owner_id=owner.id, lifetime=timedelta(hours=8))
    _, long = await create_session(owner_id=owner.id, lifetime=timedelta(days=900))
    assert long.expires_at == clock() + timedelta(days=14)

    clock.advance(hours=7)
    assert await find_session(short) is not None
    clock.advance(hours=1)

    assert await find_session(short) is None
    ends_at = await sql.fetch_value("SELECT ends_at FROM core_web_session WHERE id = $1", long.id)
    assert ends_at == long.created_at + timedelta(days=30)


async def test_ended_session_is_gone_and_others_stay(owner, other_owner):
    secret, session = await create_session(owner_id=owner.id)
    other, _ = await create_session(owner_id=owner.id)

    await end_session(other_owner.id, session.id)
    assert await find_session(secret) is not None
    await end_session(owner.id, session.id)

    assert await find_session(secret) is None
    assert await find_session(other) is not None


async def test_sessions_of_one_person_are_listed_and_ended_alone(owner):
    _, mine = await create_session(owner_id=owner.id)
    _, kept = await create_session(owner_id=owner.id)
    theirs = {}
    for subject_id in (1, 2):
        theirs[subject_id], _ = await create_session(
            owner_id=owner.id, kind="staff", subject_id=subject_id, scopes=["orders"]
        )

    assert [each.id for each in await list_sessions(owner.id, "owner")] == [kept.id, mine.id]
    assert await end_sessions_of(owner.id, "owner", except_id=kept.id) == 1
    assert await end_sessions_of(owner.id, "staff", 1) == 1

    assert [each.id for each in await list_sessions(owner.id, "owner")] == [kept.id]
    assert await find_session(theirs[1]) is None
    assert (await find_session(theirs[2])).scopes == {"orders"}


async def test_password_change_ends_the_owners_sessions_alone(owner, other_owner):
    secret, _ = await create_session(owner_id=owner.id)
    staff, _ = await create_session(owner_id=owner.id, kind="staff", subject_id=1)
    other, _ = await create_session(owner_id=other_owner.id)

    await owner_login.set_owner_password(owner.id, "correct horse battery")

    assert await find_session(secret) is None
    assert await find_session(staff) is not None
    assert await find_session(other) is not None


async def test_session_ends_with_the_token_that_opened_it(owner, clock):
    issued = [
        await services.issue_token(GADGET, owner.id, ["*"], name="phone", lifetime=timedelta(days=1)) for _ in range(2)
    ]
    opened = [(await create_session(owner_id=owner.id, token_id=each.id))[0] for each in issued]

    await services.revoke_token(owner.id, issued[0].id)

    assert await find_session(opened[0]) is None
    assert await find_session(opened[1]) is not None
    clock.advance(days=1)
    assert await find_session(opened[1]) is None


async def test_sessions_follow_the_tokens_of_a_member_of_staff(owner):
    secret, _ = await create_session(owner_id=owner.id, kind="staff", subject_id=7, scopes=["orders"], name="Chrome")
    await services.update_scopes(owner.id, "staff", 7, ["kds"])
    await services.delete_token_names(owner.id, "staff", 7)
    found = await find_session(secret)
    assert (found.scopes, found.name) == ({"kds"}, "")

    await services.revoke_tokens(owner.id, "staff", 7)

    assert await find_session(secret) is None


async def test_unknown_owner_store_or_token_is_not_found(owner, other_owner):
    for options in (
        {"owner_id": 987_654_321_000},
        {"owner_id": owner.id, "store_id": await other_owner.store()},
        {"owner_id": owner.id, "token_id": other_owner.token_id},
    ):
        with pytest.raises(NotFound):
            await create_session(**options)
    assert await list_sessions(owner.id, "owner") == []


async def test_use_is_written_once_an_hour(owner, clock):
    secret, session = await create_session(owner_id=owner.id)
    clock.advance(minutes=59)
    await asyncio.gather(*(find_session(secret) for _ in range(3)))
    assert (await list_sessions(owner.id, "owner"))[0].last_used_at == session.created_at

    clock.advance(minutes=1)
    await find_session(secret)

    assert (await list_sessions(owner.id, "owner"))[0].last_used_at == clock()
