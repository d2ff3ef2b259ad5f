"""Logging in and out, and how at once whatever is taken away is gone."""

import asyncio
from datetime import datetime, timedelta

import pytest
from comanda.db import sql


async def test_an_email_and_a_password_let_somebody_in(employ, clock):
    person = await employ("cashier")

    entered = await person.login(email=person.email.upper())

    assert entered.status == 200
    assert entered["staff"] == {
        "id": person.id, "name": entered["staff"]["name"], "role": "cashier",
        "permissions": ["orders", "coupons", "customers"],
    }  # fmt: skip
    assert datetime.fromisoformat(entered["expires_at"]) == clock() + timedelta(days=30)
    assert (await person.send("GET", "/me"))["email"] == person.email
    clock.advance(days=29)
    assert (await person.send("GET", "/me")).status == 200
    clock.advance(days=29)
    assert (await person.send("GET", "/me")).status == 200
    clock.advance(days=31)
    assert (await person.send("GET", "/me")).status == 401


async def test_a_pin_lets_somebody_in_for_a_working_day(employ, clock):
    person = await employ("waiter", email=None, password=None, pin="0583")

    entered = await person.enter()

    assert (entered.status, entered["staff"]["id"]) == (200, person.id)
    clock.advance(hours=15, minutes=59)
    assert (await person.send("GET", "/orders")).status == 200
    clock.advance(minutes=2)
    assert (await person.send("GET", "/orders")).status == 401


async def test_a_pin_needs_a_device_and_may_be_a_number(employ):
    person = await employ(pin="7391")

    assert list((await person.enter(device=" ")).errors) == ["device"]
    assert list((await person.enter(device="a" * 101)).errors) == ["device"]
    assert (await person.enter(pin=7391)).status == 200


async def test_logging_out_ends_one_token(waiter):
    first = waiter.token
    await waiter.login(device="tablet")

    assert (await waiter.send("POST", "/logout")).document == {"message": "You are logged out."}

    assert (await waiter.send("GET", "/me")).status == 401
    waiter.token = first
    assert (await waiter.send("GET", "/me")).status == 200


@pytest.mark.parametrize(
    "change",
    [{"is_active": False}, {"password": "another long secret"}, {"pin": "9471"}, {"pin": None}, {"email": None}],
    ids=str,
)
async def test_what_ends_a_login_ends_it_at_the_next_request(employ, change):
    person = await employ(pin="7391")
    await person.login()
    by_email = person.token
    await person.enter()
    assert (await person.send("GET", "/me")).status == 200

    assert (await person.change(**change)).status == 200

    for token in (by_email, person.token):
        person.token = token
        assert (await person.send("GET", "/me")).status == 401


async def test_somebody_deleted_is_out_at_the_next_request(waiter):
    assert (await waiter.store.send("DELETE", f"/staff/{waiter.id}")).status == 204

    assert (await waiter.send("GET", "/me")).status == 401
    assert (await waiter.login()).status == 401


async def test_somebody_inactive_cannot_log_in_and_can_when_they_are_back(employ):
    person = await employ(pin="7391", is_active=False)

    assert ((await person.login()).status, (await person.enter()).status) == (401, 401)
    await person.change(is_active=True)
    assert ((await person.login()).status, (await person.enter()).status) == (200, 200)


async def test_permissions_change_under_live_tokens(waiter):
    soup = {"name": "Soup", "price": 5, "category_id": await waiter.store.category()}
    assert (await waiter.send("POST", "/menu/items", soup)).status == 403
    assert (await waiter.send("GET", "/orders")).status == 200

    await waiter.change(grants=["menu_edit"], denials=["orders"])

    assert (await waiter.send("POST", "/menu/items", soup)).status == 201
    denied = await waiter.send("GET", "/orders")
    assert (denied.status, denied["code"], denied["required"]) == (403, "forbidden", "orders")
    await waiter.change(role="manager", denials=[], grants=[])
    assert (await waiter.send("GET", "/orders")).status == 200


async def test_no_login_survives_a_deactivation_at_the_same_moment(employ):
    person = await employ()

    replies = await asyncio.gather(person.change(is_active=False), *(person.login() for _ in range(4)))

    assert replies[0].status == 200
    for reply in replies[1:]:
        if reply.status == 200:
            person.token = reply["token"]
            assert (await person.send("GET", "/me")).status == 401


async def test_a_suspended_owners_store_has_no_login(waiter, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert ((await waiter.login()).status, (await waiter.enter(pin="1234")).status) == (404, 404)
    held = await waiter.send("GET", "/me")
    assert (held.status, held["reason"]) == (403, "account_suspended")


async def test_an_unknown_store_has_no_login(waiter):
    waiter.store.id = 987_654_321

    assert ((await waiter.login()).status, (await waiter.enter(pin="1234")).status) == (404, 404)


async def test_a_token_is_of_one_store_and_of_no_owner(waiter, store, open_store):
    elsewhere = await open_store("restaurant")
    soup = await elsewhere.item()
    order = await elsewhere.order({"item_id": soup["id"]})

    assert (await waiter.send("GET", f"/orders/{order['id']}")).status == 404
    assert (await waiter.send("PUT", f"/orders/{order['id']}/status", {"status": "ready"})).status == 404
    assert (await store.send("GET", "/orders", **waiter.auth)).status == 401
    assert (await waiter.send("GET", "/me", **store.owner.auth)).status == 401


async def test_a_device_that_is_registered_hears_until_its_person_is_gone(waiter):
    device = {"platform": "ios", "token": "push-token"}
    assert (await waiter.send("POST", "/push/register-device", device)).document == {"registered": True}

    async def devices():
        return await sql.fetch_value("SELECT count(*) FROM notifications_device WHERE subject_id = $1", waiter.id)

    assert await devices() == 1
    assert (await waiter.send("POST", "/push/unregister-device", {"token": "push-token"})).status == 200
    assert await devices() == 0
    await waiter.send("POST", "/push/register-device", device)
    await waiter.change(is_active=False)
    assert await devices() == 0
