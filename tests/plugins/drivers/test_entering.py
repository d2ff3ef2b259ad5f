"""Logging in by a code: for whom, how often, how long; and what an attacker learns, which is nothing."""

import asyncio
from collections import Counter
from datetime import timedelta
from itertools import count

import pytest
from comanda.accounts import callers
from comanda.accounts.models import Owner
from comanda.db import sql
from comanda.devkit.testing.stores import Reply
from comanda.errors import RateLimited, ValidationFailed
from comanda_drivers.schemas.entering import PhoneCodeBody, PhoneCodeRequest
from comanda_drivers.services import entering
from comanda_drivers.tokens import DRIVER

_numbers = count(1)


class Door:
    """The login, for a phone of this test alone."""

    def __init__(self, client):
        self.client = client
        self.phone = f"+3519{next(_numbers):08}"

    async def call(self, act, **body):
        """Call the door over HTTP."""
        path = f"/api/v1/driver/login/{act}"
        response = await self.client.post(path, json={"phone": self.phone, **body})
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def code(self):
        """Have a code sent and read it; past the counting of calls."""
        assert await entering.request_code(PhoneCodeRequest(phone=self.phone)) == {"sent": True, "expires_in": 600}
        return (await self.messages())[-1].partition(" ")[0]

    async def messages(self):
        rows = await sql.fetch("SELECT text FROM notifications_message WHERE address = $1 ORDER BY id", self.phone)
        return [row["text"] for row in rows]

    async def tried(self, code, **body):
        """Try a code, past the counting of calls; return the reason of the refusal, or None."""
        try:
            await entering.verify_code(PhoneCodeBody(phone=self.phone, code=code, **body))
        except ValidationFailed as error:
            return error.extras["reason"]
        return None


@pytest.fixture
def door(client):
    return Door(client)


@pytest.fixture
async def mine(kitchen, door):
    """A driver who is known by the door's phone."""
    return await kitchen.rider(phone=door.phone)


def wrong(code):
    return f"{(int(code) + 1) % 10**6:06}"


async def test_a_code_gives_a_token_for_thirty_days(door, mine, clock):
    reply = await door.call("request")
    assert (reply.status, reply.document) == (200, {"sent": True, "expires_in": 600})
    [text] = await door.messages()

    reply = await door.call("verify", code=text.partition(" ")[0], device="Rui's phone")

    assert reply.status == 200
    assert (reply["driver"]["id"], reply["driver"]["name"]) == (mine.id, "Rui Costa")
    caller = await callers.find_caller(reply["token"], DRIVER)
    assert (caller.subject_id, caller.owner_id, caller.store_id) == (mine.id, caller.owner_id, None)
    assert caller.expires_at == clock() + timedelta(days=30)
    # The owner's token stays good beside it.
    assert (await mine.send("GET", "/me")).status == 200
    mine.token = reply["token"]
    assert (await mine.get("/me"))["last_seen_at"] == clock().isoformat()
    assert (await mine.send("POST", "/logout")).document == {"message": "You are logged out."}
    assert (await mine.send("GET", "/me")).status == 401


async def test_requesting_tells_nothing_and_stores_the_same_but_for_the_message(door, mine, client):
    unknown = Door(client)
    codes = "SELECT count(*) FROM core_login_code"
    before = await sql.fetch_value(codes)

    replies = [await known.call("request") for known in (door, unknown)]

    assert replies[0].document == replies[1].document
    assert await sql.fetch_value(codes) == before + 2
    assert (len(await door.messages()), await unknown.messages()) == (1, [])


async def test_an_unknown_phone_is_told_what_a_wrong_code_is(door, mine, client):
    unknown = Door(client)
    for each in (door, unknown):
        await each.call("request")

    replies = [await each.call("verify", code="000000") for each in (door, unknown)]

    assert [(reply.status, reply["errors"], reply["reason"]) for reply in replies] == [
        (422, {"code": ["This code is wrong, or was used already."]}, "otp_invalid")
    ] * 2


async def test_even_the_right_code_opens_nothing_to_a_phone_that_nobody_has(kitchen, door, mine):
    code = await door.code()
    await kitchen.send_to(f"/api/v1/drivers/{mine.id}", "DELETE")

    assert await door.tried(code) == "otp_invalid"
    assert (
        await sql.fetch_value(
            "SELECT count(*) FROM core_access_token WHERE kind = 'driver' AND subject_id = $1", mine.id
        )
        == 1
    )


async def test_guessing_stops_after_five_tries_even_for_the_right_code(door, mine):
    code = await door.code()

    reasons = [await door.tried(wrong(code)) for _ in range(6)]

    assert reasons == ["otp_invalid"] * 5 + ["otp_exhausted"]
    assert await door.tried(code) == "otp_exhausted"
    assert await door.tried(await door.code()) is None


async def test_guessing_at_once_gets_no_more_tries(door, mine):
    code = await door.code()

    reasons = await asyncio.gather(*(door.tried(wrong(code)) for _ in range(30)))

    assert Counter(reasons) == {"otp_invalid": 5, "otp_exhausted": 25}
    assert await door.tried(code) == "otp_exhausted"


async def test_a_code_opens_once_even_when_used_many_times_at_once(door, mine):
    code = await door.code()

    reasons = await asyncio.gather(*(door.tried(code) for _ in range(20)))

    assert Counter(reasons) == {None: 1, "otp_invalid": 19}
    assert await door.tried(code) == "otp_invalid"


async def test_codes_are_good_side_by_side_for_ten_minutes(door, mine, clock):
    first = await door.code()
    second = await door.code()

    assert await door.tried(first) is None
    clock.advance(minutes=10)
    assert await door.tried(second) == "otp_expired"


async def test_twenty_codes_a_day_are_enough_for_anybody(door, mine, client, clock):
    unknown = Door(client)
    for each in (door, unknown):
        for number in range(20):
            await entering.request_code(PhoneCodeRequest(phone=each.phone), source=f"source {number}")
            clock.advance(minutes=10)
        clock.advance(minutes=-10)
        # While a code is good the answer stays what it was; then it is a refusal, known or not.
        await entering.request_code(PhoneCodeRequest(phone=each.phone), source="a stranger")
        clock.advance(minutes=10)
        with pytest.raises(RateLimited):
            await entering.request_code(PhoneCodeRequest(phone=each.phone), source="a stranger")
    assert len(await door.messages()) == 20


async def test_the_eleventh_call_of_a_minute_with_one_phone_is_one_too_many(door, mine, client):
    statuses = [(await door.call("verify", code="000000")).status for _ in range(12)]

    # A minute may end in between.
    assert statuses.count(422) >= 10
    assert set(statuses) <= {422, 429}
    # Of another phone nothing was counted, and however the number is written it is the same.
    assert (await Door(client).call("verify", code="000000")).status == 422
    spaced = Door(client)
    spaced.phone = f"{door.phone[:4]} {door.phone[4:]}"
    assert (await spaced.call("request")).status in {200, 429}


async def test_whoever_drives_for_several_says_for_whom_and_the_code_stays_good(kitchen, foreign, door, mine):
    other = await foreign.rider("R. Costa", door.phone)
    code = await door.code()
    choices = [
        {"owner": each.owner.id, "owner_name": "Test Owner", "driver_id": driver.id, "name": driver.record["name"],
         "restaurant_id": None}
        for each, driver in sorted(((kitchen, mine), (foreign, other)), key=lambda pair: pair[0].owner.id)
    ]  # fmt: skip

    for hint in ({}, {"owner": 987_654_321}):
        reply = await door.call("verify", code=code, **hint)
        assert (list(reply.errors), reply["choices"]) == (["owner"], choices)
    reply = await door.call("verify", code=code, owner=foreign.owner.id)

    assert (reply.status, reply["driver"]["id"]) == (200, other.id)
    # Now it is used up, for the other owner too.
    assert await door.tried(code, owner=choices[0]["owner"]) == "otp_invalid"
    assert await door.tried(code, owner=choices[1]["owner"]) == "otp_invalid"


async def test_a_wrong_code_does_not_tell_who_is_to_choose_from(foreign, door, mine):
    await foreign.rider("R. Costa", door.phone)
    code = await door.code()

    reply = await door.call("verify", code=wrong(code))

    assert (list(reply.errors), reply["reason"]) == (["code"], "otp_invalid")
    assert "choices" not in reply.document


async def test_two_drivers_of_one_owner_with_one_phone_choose_by_id(kitchen, door, mine):
    second = await kitchen.rider("Rui, second shift", door.phone, restaurant_id=kitchen.id)
    code = await door.code()

    reply = await door.call("verify", code=code, owner=kitchen.owner.id)
    assert list(reply.errors) == ["driver_id"]
    assert [choice["driver_id"] for choice in reply["choices"]] == [mine.id, second.id]
    reply = await door.call("verify", code=code, driver_id=second.id)
    assert (reply.status, reply["driver"]["id"]) == (200, second.id)


async def test_an_inactive_driver_gets_no_code_and_no_token(kitchen, door, mine):
    code = await door.code()
    await kitchen.send_to(f"/api/v1/drivers/{mine.id}", "PUT", {"is_active": False})

    assert await door.tried(code) == "otp_invalid"
    assert (await door.call("request")).status == 200
    assert len(await door.messages()) == 1


async def test_of_a_suspended_owner_nobody_gets_in(kitchen, door, mine):
    code = await door.code()
    await Owner.filter(id=kitchen.owner.id).update(is_suspended=True)

    reply = await door.call("verify", code=code)

    assert (reply.status, reply["code"], reply["reason"]) == (404, "not_found", "account_suspended")
    await Owner.filter(id=kitchen.owner.id).update(is_suspended=False)
    assert await door.tried(code) is None


async def test_deactivating_and_logging_in_at_once_leaves_nobody_in(kitchen, door, mine):
    for _ in range(5):
        code = await door.code()
        await asyncio.gather(
            door.tried(code), kitchen.send_to(f"/api/v1/drivers/{mine.id}", "PUT", {"is_active": False})
        )
        live = "SELECT count(*) FROM core_access_token WHERE subject_id = $1 AND kind = 'driver' AND revoked_at IS NULL"
        assert await sql.fetch_value(live, mine.id) == 0
        await kitchen.send_to(f"/api/v1/drivers/{mine.id}", "PUT", {"is_active": True})


@pytest.mark.parametrize("phone", ["", "call me", "961234567", "+1", None, 5, ["+351961234567"], "+351961234567" * 9])
@pytest.mark.parametrize("act", ["request", "verify"])
async def test_what_is_no_whole_number_is_refused(door, act, phone):
    reply = await door.call(act, phone=phone, code="123456")

    assert list(reply.errors) == ["phone"]


@pytest.mark.parametrize(
    "code", ["", "x", "\uff11\uff12\uff13\uff14\uff15\uff16", "0" * 21, 123456, None, "12345\x006"]
)
async def test_what_is_no_code_opens_nothing(door, mine, code):
    await door.call("request")

    reply = await door.call("verify", code=code)

    assert list(reply.errors) == ["code"]
