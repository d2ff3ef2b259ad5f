"""Drivers, as owners keep them; and their tokens, which end when the owner says so."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import callers
from comanda.accounts.models import AccessToken
from comanda.db import sql
from comanda_drivers import tokens
from comanda_drivers.tokens import DRIVER

DRIVERS = "/api/v1/drivers"


async def test_a_driver_is_added_listed_changed_and_deleted(kitchen):
    made = await kitchen.send_to(DRIVERS, "POST", {"name": "Rui", "phone": "+351 961 234 567"})
    assert made.status == 201
    token = made.document.pop("token")
    assert token.startswith("drv_")
    assert made.document == {
        "id": made["id"], "name": "Rui", "phone": "+351961234567", "restaurant_id": None, "is_active": True,
        "is_on_shift": False, "active_deliveries": 0, "last_seen_at": None,
    }  # fmt: skip

    page = await kitchen.send_to(DRIVERS)
    assert (page["data"], page["per_page"], page["total"]) == ([made.document], 20, 1)

    path = f"{DRIVERS}/{made['id']}"
    changed = await kitchen.send_to(path, "PUT", {"name": "Rui Costa", "restaurant_id": kitchen.id})
    assert changed.document == {**made.document, "name": "Rui Costa", "restaurant_id": kitchen.id}
    assert (await kitchen.send_to(path, "PUT", {"restaurant_id": None})).document["restaurant_id"] is None
    assert (await kitchen.send_to(path, "DELETE")).status == 204
    assert (await kitchen.send_to(DRIVERS))["data"] == []
    for reply in (await kitchen.send_to(path, "DELETE"), await kitchen.send_to(path, "PUT", {"name": "x"})):
        assert reply.status == 404


async def test_a_number_without_its_country_is_one_of_the_stores(kitchen):
    body = {"name": "Rui", "phone": "961 234 567", "restaurant_id": kitchen.id}
    assert (await kitchen.send_to(DRIVERS, "POST", body))["phone"] == "961234567"
    await kitchen.send("PUT", "/settings", {"country": "PT"})
    assert (await kitchen.send_to(DRIVERS, "POST", body))["phone"] == "+351961234567"
    assert (await kitchen.send_to(DRIVERS, "POST", {**body, "restaurant_id": None}))["phone"] == "+351961234567"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"phone": "+351961234567"}, "name"),
        ({"name": " ", "phone": "+351961234567"}, "name"),
        ({"name": "Rui"}, "phone"),
        ({"name": "Rui", "phone": "call me"}, "phone"),
        ({"name": "Rui", "phone": "1"}, "phone"),
        ({"name": "Rui", "phone": "+351961234567", "restaurant_id": 987_654_321}, "restaurant_id"),
        ({"name": "Rui", "phone": "+351961234567", "restaurant_id": True}, "restaurant_id"),
    ],
)
async def test_what_will_not_do_adds_nobody(kitchen, body, field):
    assert list((await kitchen.send_to(DRIVERS, "POST", body)).errors) == [field]
    assert (await kitchen.send_to(DRIVERS))["total"] == 0


async def test_a_store_of_another_owner_is_no_place_for_a_driver(kitchen, foreign, rider):
    body = {"name": "Rui", "phone": "+351961234567", "restaurant_id": foreign.id}

    assert list((await kitchen.send_to(DRIVERS, "POST", body)).errors) == ["restaurant_id"]
    change = {"restaurant_id": foreign.id}
    assert list((await kitchen.send_to(f"{DRIVERS}/{rider.id}", "PUT", change)).errors) == ["restaurant_id"]
    assert (await rider.get("/me"))["restaurant_id"] is None


async def test_whoever_has_something_to_deliver_is_not_deleted(kitchen, rider):
    order = await kitchen.assigned(rider)
    path = f"{DRIVERS}/{rider.id}"

    reply = await kitchen.send_to(path, "DELETE")

    assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "active_deliveries")
    assert (await rider.get("/me"))["active_deliveries"] == 1
    await rider.set(order["id"], "delivered")
    assert (await kitchen.send_to(path, "DELETE")).status == 204
    assert (await rider.send("GET", "/me")).status == 401
    # The order still tells who brought it.
    assert (await kitchen.shown(order))["driver"]["name"] == "Rui Costa"


async def test_nobody_is_given_to_a_driver_who_is_being_deleted(kitchen):
    for _ in range(5):
        rider = await kitchen.rider()
        order = await kitchen.delivery()

        replies = await asyncio.gather(
            kitchen.send_to(f"{DRIVERS}/{rider.id}", "DELETE"),
            kitchen.assign(order, rider.id),
            rider.claim(order["id"]),
        )

        is_gone = replies[0].status == 204
        assert is_gone == ((await kitchen.shown(order))["driver"] is None)


async def test_rotating_ends_every_token_and_gives_one(kitchen, rider):
    phone = await tokens.issue_for_phone(kitchen.owner.id, rider.id, "phone")

    reply = await kitchen.send_to(f"{DRIVERS}/{rider.id}/rotate-token", "POST")

    assert reply.status == 200
    assert (reply["id"], reply["name"]) == (rider.id, "Rui Costa")
    assert (await rider.send("GET", "/me")).status == 401
    assert await callers.find_caller(phone.secret, DRIVER) is None
    rider.token = reply["token"]
    assert (await rider.send("GET", "/me")).status == 200
    assert await AccessToken.filter(subject_id=rider.id, kind="driver", revoked_at=None).count() == 1


async def test_of_tokens_rotated_at_once_one_is_left(kitchen, rider):
    replies = await asyncio.gather(*(kitchen.send_to(f"{DRIVERS}/{rider.id}/rotate-token", "POST") for _ in range(8)))

    assert {reply.status for reply in replies} == {200}
    found = [await callers.find_caller(reply["token"], DRIVER) for reply in replies]
    assert len([caller for caller in found if caller is not None]) == 1


async def test_an_inactive_driver_is_out_at_once(kitchen, rider):
    await rider.send("POST", "/shift", {"status": "on"})
    phone = await tokens.issue_for_phone(kitchen.owner.id, rider.id, "phone")
    path = f"{DRIVERS}/{rider.id}"

    reply = await kitchen.send_to(path, "PUT", {"is_active": False})

    assert (reply["is_active"], reply["is_on_shift"]) == (False, False)
    assert (await rider.send("GET", "/me")).status == 401
    assert await callers.find_caller(phone.secret, DRIVER) is None
    refused = await kitchen.send_to(f"{path}/rotate-token", "POST")
    assert (refused.status, refused["reason"]) == (409, "driver_inactive")
    # Back again, they need a new token.
    assert (await kitchen.send_to(path, "PUT", {"is_active": True}))["is_active"] is True
    assert (await rider.send("GET", "/me")).status == 401
    rider.token = (await kitchen.send_to(f"{path}/rotate-token", "POST"))["token"]
    assert (await rider.send("GET", "/me")).status == 200


async def test_the_owners_token_never_expires_and_a_phones_does_thirty_days_after_its_last_use(kitchen, rider, clock):
    phone = await tokens.issue_for_phone(kitchen.owner.id, rider.id, "phone")
    assert phone.expires_at == clock() + timedelta(days=30)

    clock.advance(days=29)
    assert await callers.find_caller(phone.secret, DRIVER) is not None
    clock.advance(days=29)
    assert await callers.find_caller(phone.secret, DRIVER) is not None
    clock.advance(days=31)
    assert await callers.find_caller(phone.secret, DRIVER) is None
    clock.advance(days=4000)
    assert (await callers.find_caller(rider.token, DRIVER)).expires_at is None


async def test_a_drivers_token_opens_no_owners_door_and_an_owners_none_of_drivers(client, kitchen, rider):
    driver, owner = {"Authorization": f"Bearer {rider.token}"}, kitchen.owner.auth
    for path in ("/drivers", f"/restaurants/{kitchen.id}/deliveries", f"/restaurants/{kitchen.id}/orders", "/me"):
        assert (await client.get(f"/api/v1{path}", headers=driver)).status_code == 401
    for path in ("/driver/me", "/driver/deliveries", "/driver/available"):
        assert (await client.get(f"/api/v1{path}", headers=owner)).status_code == 401


async def test_tokens_are_kept_as_hashes(rider):
    rows = await sql.fetch(
        "SELECT to_jsonb(t)::text AS row FROM core_access_token t WHERE kind = 'driver' AND subject_id = $1", rider.id
    )

    assert len(rows) == 1
    assert rider.token not in rows[0]["row"]


async def test_drivers_of_another_owner_look_missing_and_stay(kitchen, foreign):
    theirs = await foreign.rider()
    path = f"{DRIVERS}/{theirs.id}"

    for method, where, body in (
        ("PUT", path, {"name": "Stolen", "is_active": False}),
        ("DELETE", path, None),
        ("POST", f"{path}/rotate-token", None),
    ):
        reply = await kitchen.send_to(where, method, body)
        assert (reply.status, reply["code"]) == (404, "not_found")

    assert (await kitchen.send_to(DRIVERS))["data"] == []
    assert (await theirs.get("/me"))["name"] == "Rui Costa"


async def test_scopes_are_those_of_drivers(client, kitchen, rider):
    read, other = await kitchen.owner.token_with("drivers:read"), await kitchen.owner.token_with("orders:write")
    path = f"{DRIVERS}/{rider.id}"

    assert (await client.get(DRIVERS, headers=read)).status_code == 200
    for response in (
        await client.get(DRIVERS, headers=other),
        await client.put(path, headers=read, json={"name": "x"}),
        await client.delete(path, headers=read),
        await client.post(f"{path}/rotate-token", headers=read),
        await client.post(DRIVERS, headers=read, json={"name": "x", "phone": "+351961234567"}),
    ):
        assert response.status_code == 403
    assert (await rider.get("/me"))["name"] == "Rui Costa"
