"""Login by code: attempts, lifetimes, and what responses reveal."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from comanda.accounts import callers
from comanda.accounts.models import Owner
from comanda.basics import RateLimited
from comanda.platform.db import sql
from comanda_drivers.caller_kinds import DRIVER
from comanda_drivers.schemas.login import PhoneCodeRequest
from comanda_drivers.services.accounts import login


def build_wrong_code(code):
    return f"{(int(code) + 1) % 10**6:06}"


async def test_code_returns_a_token_for_thirty_days(login_client, known_driver, clock):
    reply = await login_client.post("request")
    assert (reply.status, reply.document) == (200, {"sent": True, "expires_in": 600})
    [text] = await login_client.list_messages()

    reply = await login_client.post("verify", code=text.partition(" ")[0], device="Rui's phone")

    assert reply.status == 200
    assert (reply["driver"]["id"], reply["driver"]["name"]) == (known_driver.id, "Rui Costa")
    caller = await callers.find_caller(reply["token"], DRIVER)
    assert (caller.subject_id, caller.owner_id, caller.store_id) == (known_driver.id, caller.owner_id, None)
    assert caller.expires_at == clock() + timedelta(days=30)
    # The owner's token stays good beside it.
    assert (await known_driver.send("GET", "/me")).status == 200
    known_driver.token = reply["token"]
    assert (await known_driver.get("/me"))["last_seen_at"] == clock().isoformat()
    assert (await known_driver.send("POST", "/logout")).document == {"message": "You are logged out."}
    assert (await known_driver.send("GET", "/me")).status == 401


async def test_requests_for_known_and_unknown_phones_look_alike(login_client, known_driver, new_login_client):
    unknown = new_login_client()
    codes = "SELECT count(*) FROM core_login_code"
    before = await sql.fetch_value(codes)

    replies = [await known.post("request") for known in (login_client, unknown)]

    assert replies[0].document == replies[1].document
    assert await sql.fetch_value(codes) == before + 2
    assert (len(await login_client.list_messages()), await unknown.list_messages()) == (1, [])


async def test_unknown_phone_gets_the_error_of_wrong_codes(login_client, known_driver, new_login_client):
    unknown = new_login_client()
    for each in (login_client, unknown):
        await each.post("request")

    replies = [await each.post("verify", code="000000") for each in (login_client, unknown)]

    assert [(reply.status, reply["errors"], reply["reason"]) for reply in replies] == [
        (422, {"code": ["This code is wrong, or was used already."]}, "otp_invalid")
    ] * 2


async def test_correct_code_of_a_deleted_driver_is_invalid(kitchen, login_client, known_driver):
    code = await login_client.request_code()
    await kitchen.send_to(f"/api/v1/drivers/{known_driver.id}", "DELETE")

    assert await login_client.try_code(code) == "otp_invalid"
    assert (
        await sql.fetch_value(
            "SELECT count(*) FROM core_access_token WHERE kind = 'driver' AND subject_id = $1", known_driver.id
        )
        == 1
    )


async def test_code_is_exhausted_after_five_attempts(login_client, known_driver):
    code = await login_client.request_code()

    reasons = [await login_client.try_code(build_wrong_code(code)) for _ in range(6)]

    assert reasons == ["otp_invalid"] * 5 + ["otp_exhausted"]
    assert await login_client.try_code(code) == "otp_exhausted"
    assert await login_client.try_code(await login_client.request_code()) is None


async def test_concurrent_attempts_share_the_limit(login_client, known_driver):
    code = await login_client.request_code()

    reasons = await asyncio.gather(*(login_client.try_code(build_wrong_code(code)) for _ in range(30)))

    assert Counter(reasons) == {"otp_invalid": 5, "otp_exhausted": 25}
    assert await login_client.try_code(code) == "otp_exhausted"


async def test_concurrent_use_of_a_code_succeeds_once(login_client, known_driver):
    code = await login_client.request_code()

    reasons = await asyncio.gather(*(login_client.try_code(code) for _ in range(20)))

    assert Counter(reasons) == {None: 1, "otp_invalid": 19}
    assert await login_client.try_code(code) == "otp_invalid"


async def test_codes_are_valid_in_parallel_for_ten_minutes(login_client, known_driver, clock):
    first = await login_client.request_code()
    second = await login_client.request_code()

    assert await login_client.try_code(first) is None
    clock.advance(minutes=10)
    assert await login_client.try_code(second) == "otp_expired"


async def test_phone_gets_at_most_twenty_codes_a_day(login_client, known_driver, new_login_client, clock):
    unknown = new_login_client()
    for each in (login_client, unknown):
        for number in range(20):
            await login.request_code(PhoneCodeRequest(phone=each.phone), source=f"source {number}")
            clock.advance(minutes=10)
        clock.advance(minutes=-10)
        # While a code is good the answer stays what it was; then it is a refusal, known or not.
        await login.request_code(PhoneCodeRequest(phone=each.phone), source="a stranger")
        clock.advance(minutes=10)
        with pytest.raises(RateLimited):
            await login.request_code(PhoneCodeRequest(phone=each.phone), source="a stranger")
    assert len(await login_client.list_messages()) == 20


async def test_several_owners_require_a_choice(kitchen, foreign, login_client, known_driver):
    other = await foreign.add_driver("R. Costa", login_client.phone)
    code = await login_client.request_code()
    choices = [
        {"owner": each.owner.id, "owner_name": "Test Owner", "driver_id": driver.id, "name": driver.record["name"],
         "restaurant_id": None}
        for each, driver in sorted(((kitchen, known_driver), (foreign, other)), key=lambda pair: pair[0].owner.id)
    ]  # fmt: skip

    for hint in ({}, {"owner": 987_654_321}):
        reply = await login_client.post("verify", code=code, **hint)
        assert (list(reply.errors), reply["choices"]) == (["owner"], choices)
    reply = await login_client.post("verify", code=code, owner=foreign.owner.id)

    assert (reply.status, reply["driver"]["id"]) == (200, other.id)
    # Now it is used up, for the other owner too.
    assert await login_client.try_code(code, owner=choices[0]["owner"]) == "otp_invalid"
    assert await login_client.try_code(code, owner=choices[1]["owner"]) == "otp_invalid"


async def test_wrong_code_reveals_no_choices(foreign, login_client, known_driver):
    await foreign.add_driver("R. Costa", login_client.phone)
    code = await login_client.request_code()

    reply = await login_client.post("verify", code=build_wrong_code(code))

    assert (list(reply.errors), reply["reason"]) == (["code"], "otp_invalid")
    assert "choices" not in reply.document


async def test_shared_phone_is_resolved_by_driver_id(kitchen, login_client, known_driver):
    second = await kitchen.add_driver("Rui, second shift", login_client.phone, restaurant_id=kitchen.id)
    code = await login_client.request_code()

    reply = await login_client.post("verify", code=code, owner=kitchen.owner.id)
    assert list(reply.errors) == ["driver_id"]
    assert [choice["driver_id"] for choice in reply["choices"]] == [known_driver.id, second.id]
    reply = await login_client.post("verify", code=code, driver_id=second.id)
    assert (reply.status, reply["driver"]["id"]) == (200, second.id)


async def test_inactive_driver_cannot_log_in(kitchen, login_client, known_driver):
    code = await login_client.request_code()
    await kitchen.send_to(f"/api/v1/drivers/{known_driver.id}", "PUT", {"is_active": False})

    assert await login_client.try_code(code) == "otp_invalid"
    assert (await login_client.post("request")).status == 200
    assert len(await login_client.list_messages()) == 1


async def test_driver_of_a_suspended_owner_cannot_log_in(kitchen, login_client, known_driver):
    code = await login_client.request_code()
    await Owner.filter(id=kitchen.owner.id).update(is_suspended=True)

    reply = await login_client.post("verify", code=code)

    assert (reply.status, reply["code"], reply["reason"]) == (404, "not_found", "account_suspended")
    await Owner.filter(id=kitchen.owner.id).update(is_suspended=False)
    assert await login_client.try_code(code) is None


async def test_concurrent_deactivation_leaves_no_token(kitchen, login_client, known_driver):
    for _ in range(5):
        code = await login_client.request_code()
        await asyncio.gather(
            login_client.try_code(code),
            kitchen.send_to(f"/api/v1/drivers/{known_driver.id}", "PUT", {"is_active": False}),
        )
        live = "SELECT count(*) FROM core_access_token WHERE subject_id = $1 AND kind = 'driver' AND revoked_at IS NULL"
        assert await sql.fetch_value(live, known_driver.id) == 0
        await kitchen.send_to(f"/api/v1/drivers/{known_driver.id}", "PUT", {"is_active": True})
