"""Suspensions: by whom, why, and who may lift them."""

import asyncio

import pytest
from comanda.accounts import administration, web_sessions
from comanda.accounts.administration import suspend_owner, unsuspend_owner
from comanda.basics.errors import Conflict, NotFound
from comanda.platform.db import sql

RESELLER = "owner:12"


async def read(owner):
    row = await sql.fetch_one(
        "SELECT is_suspended, suspended_at, suspend_reason, suspended_by FROM core_owner_v1 WHERE id = $1", owner.id
    )
    return tuple(row)


async def test_suspension_keeps_time_reason_and_author_until_it_is_lifted(owner, clock):
    assert await suspend_owner(owner.id, "Unpaid", by=RESELLER)
    assert await read(owner) == (True, clock(), "Unpaid", RESELLER)

    assert await unsuspend_owner(owner.id, by=RESELLER)
    assert await read(owner) == (False, None, None, None)


async def test_repeated_suspension_changes_nothing(owner, clock):
    await suspend_owner(owner.id, "Unpaid", by=RESELLER)
    before = await read(owner)
    clock.advance(hours=1)

    assert not await suspend_owner(owner.id, "Another reason", by=RESELLER)
    assert not await suspend_owner(owner.id, "Another reason", by="owner:13")
    assert await read(owner) == before
    assert await unsuspend_owner(owner.id, by=RESELLER)
    assert not await unsuspend_owner(owner.id, by=RESELLER)


async def test_only_the_operator_lifts_what_another_made(owner, clock):
    await suspend_owner(owner.id, "Unpaid", by=RESELLER)
    with pytest.raises(Conflict) as caught:
        await unsuspend_owner(owner.id, by="owner:13")
    assert caught.value.extras == {"reason": "suspended_by_other"}
    assert (await read(owner))[0]

    assert await suspend_owner(owner.id, "Fraud")
    assert await read(owner) == (True, clock(), "Fraud", "operator")
    with pytest.raises(Conflict):
        await unsuspend_owner(owner.id, by=RESELLER)
    assert not await suspend_owner(owner.id, "Unpaid", by=RESELLER)
    assert (await read(owner))[2] == "Fraud"
    assert await unsuspend_owner(owner.id)


async def test_suspension_of_an_earlier_version_is_the_operators(owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert not await suspend_owner(owner.id, "Unpaid", by=RESELLER)
    with pytest.raises(Conflict):
        await unsuspend_owner(owner.id, by=RESELLER)
    assert await unsuspend_owner(owner.id)


async def test_suspension_is_part_of_the_open_transaction(owner):
    async def suspend_and_fail():
        async with sql.transaction():
            await suspend_owner(owner.id, "Unpaid")
            raise LookupError

    with pytest.raises(LookupError):
        await suspend_and_fail()

    assert await read(owner) == (False, None, None, None)


async def test_parallel_suspensions_change_it_once(owner):
    changed = await asyncio.gather(*(suspend_owner(owner.id, f"Reason {number}") for number in range(8)))

    assert sorted(changed) == [False] * 7 + [True]


async def test_unknown_owner_is_not_found():
    for act in (suspend_owner(987_654_321_000, "Unpaid"), unsuspend_owner(987_654_321_000)):
        with pytest.raises(NotFound):
            await act


async def test_operator_finds_owners_by_email(owner):
    made = await administration.set_suspended(owner.email, is_suspended=True, reason="Unpaid")
    assert (made.is_suspended, made.suspend_reason) == (True, "Unpaid")
    [summary] = [each for each in await administration.list_owners() if each.id == owner.id]
    assert (summary.is_suspended, summary.suspend_reason) == (True, "Unpaid")

    assert not (await administration.set_suspended(owner.email, is_suspended=False)).is_suspended


async def test_administrator_is_granted_and_revoked_with_entries(owner):
    secret, session = await web_sessions.create_session(owner_id=owner.id)
    staff, _ = await web_sessions.create_session(owner_id=owner.id, kind="staff", subject_id=1)
    assert not session.is_administrator

    assert await administration.set_administrator(owner.email.upper(), is_administrator=True)
    assert not await administration.set_administrator(owner.email, is_administrator=True)

    assert (await web_sessions.find_session(secret)).is_administrator
    assert not (await web_sessions.find_session(staff)).is_administrator
    assert await administration.set_administrator(owner.email, is_administrator=False)
    assert not (await web_sessions.find_session(secret)).is_administrator
    rows = await sql.fetch("SELECT actor_kind, action FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", owner.id)
    assert [tuple(row) for row in rows] == [
        ("operator", "account/administrator_grant"),
        ("operator", "account/administrator_revoke"),
    ]
