"""Tokens of drivers: rotation, lifetime, storage."""

import asyncio
from datetime import timedelta

from comanda.accounts import callers
from comanda.accounts.models import AccessToken
from comanda.platform.db import sql
from comanda_drivers.caller_kinds import DRIVER
from comanda_drivers.services.accounts import tokens

DRIVERS = "/api/v1/drivers"


async def test_rotation_revokes_all_tokens_and_issues_one(kitchen, driver):
    phone = await tokens.issue_login_token(kitchen.owner.id, driver.id, "phone")

    reply = await kitchen.send_to(f"{DRIVERS}/{driver.id}/rotate-token", "POST")

    assert reply.status == 200
    assert (reply["id"], reply["name"]) == (driver.id, "Rui Costa")
    assert (await driver.send("GET", "/me")).status == 401
    assert await callers.find_caller(phone.secret, DRIVER) is None
    driver.token = reply["token"]
    assert (await driver.send("GET", "/me")).status == 200
    assert await AccessToken.filter(subject_id=driver.id, kind="driver", revoked_at=None).count() == 1


async def test_concurrent_rotations_leave_one_token(kitchen, driver):
    replies = await asyncio.gather(*(kitchen.send_to(f"{DRIVERS}/{driver.id}/rotate-token", "POST") for _ in range(8)))

    assert {reply.status for reply in replies} == {200}
    found = [await callers.find_caller(reply["token"], DRIVER) for reply in replies]
    assert len([caller for caller in found if caller is not None]) == 1


async def test_login_tokens_expire_and_permanent_ones_do_not(kitchen, driver, clock):
    phone = await tokens.issue_login_token(kitchen.owner.id, driver.id, "phone")
    assert phone.expires_at == clock() + timedelta(days=30)

    clock.advance(days=29)
    assert await callers.find_caller(phone.secret, DRIVER) is not None
    clock.advance(days=29)
    assert await callers.find_caller(phone.secret, DRIVER) is not None
    clock.advance(days=31)
    assert await callers.find_caller(phone.secret, DRIVER) is None
    clock.advance(days=4000)
    assert (await callers.find_caller(driver.token, DRIVER)).expires_at is None


async def test_tokens_of_drivers_and_owners_are_not_interchangeable(client, kitchen, driver):
    driver, owner = {"Authorization": f"Bearer {driver.token}"}, kitchen.owner.auth
    for path in ("/drivers", f"/restaurants/{kitchen.id}/deliveries", f"/restaurants/{kitchen.id}/orders", "/me"):
        assert (await client.get(f"/api/v1{path}", headers=driver)).status_code == 401
    for path in ("/driver/me", "/driver/deliveries", "/driver/available"):
        assert (await client.get(f"/api/v1{path}", headers=owner)).status_code == 401


async def test_tokens_are_stored_as_hashes(driver):
    rows = await sql.fetch(
        "SELECT to_jsonb(t)::text AS row FROM core_access_token t WHERE kind = 'driver' AND subject_id = $1", driver.id
    )

    assert len(rows) == 1
    assert driver.token not in rows[0]["row"]
