"""Login and logout of owners and staff in the app."""

from datetime import timedelta

import pyotp
import pytest
from comanda.accounts import administration
from comanda.accounts.callers import OWNER_LOGIN_LIFETIME
from comanda.basics import clock as clock_module
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql

WRONG = {"message": "Invalid e-mail or password.", "code": "unauthenticated", "reason": "invalid_credentials"}


async def count_tokens(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_access_token WHERE owner_id = $1", owner.id)


def without_request_id(document):
    return {name: value for name, value in document.items() if name != "request_id"}


async def test_owner_logs_in_with_a_token_for_every_owner_route(owner_with_password, store, phone, client):
    reply = await phone.log_in(owner_with_password.email.upper())

    assert (reply.status, reply.headers["cache-control"]) == (200, "no-store")
    assert reply["token"].startswith("own_")
    assert reply["user"] == {
        "id": owner_with_password.id, "account": "owner", "name": reply["user"]["name"],
        "email": owner_with_password.email, "role": None, "permissions": None,
    }  # fmt: skip
    assert [each["id"] for each in reply["stores"]] == [store.id]
    assert reply["stores"][0]["path"].startswith("/s/")
    me = (await phone.send("GET", "/api/v1/me")).document
    assert (me["kind"], me["abilities"], me["token"]["name"]) == ("owner", ["*"], "Ada's phone")
    assert (
        await phone.send("POST", f"/api/v1/restaurants/{store.id}/menu/categories", {"name": "Soups"})
    ).status == 201


async def test_owner_token_slides_by_ninety_days(owner_phone, clock):
    assert timedelta(days=90) == OWNER_LOGIN_LIFETIME
    clock.advance(days=89)
    assert (await owner_phone.send("GET", "/api/v1/app/me")).status == 200
    clock.advance(days=89)
    reply = await owner_phone.send("GET", "/api/v1/app/me")
    assert reply["token_expires_at"] == (clock_module.now() + timedelta(days=90)).isoformat()
    clock.advance(days=91)
    assert (await owner_phone.send("GET", "/api/v1/app/me")).status == 401


async def test_staff_log_in_with_their_permissions(store, waiter, phone):
    reply = await phone.log_in(waiter["email"])

    assert reply["token"].startswith("stf_")
    user = reply["user"]
    assert (user["account"], user["id"], user["role"], user["permissions"]) == (
        "staff", waiter["id"], "waiter", ["orders"],
    )  # fmt: skip
    assert [each["id"] for each in reply["stores"]] == [store.id]
    assert (await phone.send("GET", "/api/v1/staff/me")).status == 200
    assert (await phone.send("GET", "/api/v1/me")).status == 401


async def test_wrong_credentials_are_all_the_same(owner_with_password, waiter, pick_up_phone):
    before = await count_tokens(owner_with_password)
    for email in (owner_with_password.email, waiter["email"], "nobody@example.com", ""):
        for hints in ({}, {"account": "owner"}, {"account": "staff"}):
            reply = await pick_up_phone().log_in(email, "wrong password", **hints)
            assert reply.status == 401
            assert without_request_id(reply.document) == WRONG
    assert await count_tokens(owner_with_password) == before


async def test_hints_restrict_the_login(owner_with_password, store, hire, pick_up_phone):
    email = owner_with_password.email
    member = await hire("manager", email=email)

    assert (await pick_up_phone().log_in(email))["user"]["account"] == "owner"
    for hints in ({"account": "staff"}, {"restaurant_id": store.id}, {"owner": owner_with_password.id}):
        reply = await pick_up_phone().log_in(email, **hints)
        assert (reply["user"]["account"], reply["user"]["id"]) == ("staff", member["id"])


async def test_several_stores_with_one_password_are_choices(client, store, other_owner, hire, phone):
    elsewhere = TestStore(client, other_owner, await other_owner.store(title="Elsewhere"))
    await hire("waiter", email="both@staff.example")
    there = await hire("kitchen", at=elsewhere, email="both@staff.example")

    refused = await phone.log_in("both@staff.example")

    assert list(refused.errors) == ["restaurant_id"]
    assert {each["restaurant_id"] for each in refused["choices"]} == {store.id, elsewhere.id}
    assert phone.token == ""
    reply = await phone.log_in("both@staff.example", restaurant_id=elsewhere.id)
    assert (reply["user"]["id"], [each["title"] for each in reply["stores"]]) == (there["id"], ["Elsewhere"])


async def test_two_factor_of_staff_is_required(waiter, waiter_phone, pick_up_phone):
    setup = await waiter_phone.send("POST", "/api/v1/staff/2fa/setup")
    totp = pyotp.TOTP(setup["secret"])
    confirmed = await waiter_phone.send("POST", "/api/v1/staff/2fa/confirm", {"code": totp.now()})

    refused = await pick_up_phone().log_in(waiter["email"])
    wrong = await pick_up_phone().log_in(waiter["email"], otp="000000")
    right = await pick_up_phone().log_in(waiter["email"], recovery_code=confirmed["recovery_codes"][0])
    again = await pick_up_phone().log_in(waiter["email"], recovery_code=confirmed["recovery_codes"][0])

    assert (refused.status, refused["reason"]) == (401, "two_factor_required")
    assert (list(wrong.errors), wrong["reason"]) == (["otp"], "otp_invalid")
    assert right.status == 200
    assert again.status == 422


async def test_suspended_owner_and_their_staff_cannot_log_in(owner_with_password, waiter, pick_up_phone):
    await administration.set_suspended(owner_with_password.email, is_suspended=True)
    before = await count_tokens(owner_with_password)

    for email in (owner_with_password.email, waiter["email"]):
        reply = await pick_up_phone().log_in(email)
        assert (reply.status, reply["reason"]) == (404, "account_suspended")
        assert (await pick_up_phone().log_in(email, "wrong password")).status == 401
    assert await count_tokens(owner_with_password) == before


async def test_deactivated_staff_cannot_log_in(store, waiter, phone):
    await store.send("PUT", f"/staff/{waiter['id']}", {"is_active": False})

    assert (await phone.log_in(waiter["email"])).status == 401


async def test_attempts_are_limited_per_minute_and_per_email(owner_with_password, pick_up_phone, clock):
    phone = pick_up_phone()
    statuses = [(await phone.log_in("someone@example.com", "wrong password")).status for _ in range(11)]
    assert statuses == [401] * 10 + [429]

    statuses = [(await pick_up_phone().log_in(owner_with_password.email, "wrong")).status for _ in range(11)]
    assert statuses == [401] * 10 + [429]
    locked = await pick_up_phone().log_in(owner_with_password.email)
    assert (locked.status, int(locked.headers["retry-after"]) > 0) == (429, True)
    clock.advance(minutes=16)
    assert (await pick_up_phone().log_in(owner_with_password.email)).status == 200


@pytest.mark.parametrize("holder", ["owner", "staff"])
async def test_logout_revokes_only_the_token_used(request, holder, owner_with_password, waiter, pick_up_phone):
    email = owner_with_password.email if holder == "owner" else waiter["email"]
    first, second = pick_up_phone(), pick_up_phone()
    assert [(await each.log_in(email)).status for each in (first, second)] == [200, 200]

    reply = await first.send("POST", "/api/v1/app/auth/logout")

    assert (reply.status, reply.document) == (200, {"message": "You are logged out."})
    assert (await first.send("GET", "/api/v1/app/me")).status == 401
    assert (await second.send("GET", "/api/v1/app/me")).status == 200
    assert (await first.send("POST", "/api/v1/app/auth/logout")).status == 401
