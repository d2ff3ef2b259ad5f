"""What strangers who know a phone can do to its owner's logging in, from one address and from many."""

import pytest
from comanda.accounts import code_budget, codes
from comanda.db import sql

PHONE = "+351912345678"


@pytest.fixture
def at(client, store_id):
    """Return a function that calls the door of the store from an address."""

    async def call(address, act, **body):
        path = f"/api/v1/restaurants/{store_id}/customer/otp/{act}"
        response = await client.post(path, json={"phone": PHONE, **body}, scope_base={"client": (address, 4711)})
        return response.status_code, await response.get_json()

    return call


@pytest.fixture
def inbox(owner):
    """Return a function that reads the codes that arrived on the phone, oldest first."""

    async def read():
        rows = await sql.fetch(
            "SELECT text FROM notifications_message WHERE owner_id = $1 AND address = $2 ORDER BY id", owner.id, PHONE
        )
        return [row["text"].partition(" ")[0] for row in rows]

    return read


def one(number):
    return "198.51.100.7"


def many(number):
    return f"198.51.100.{number}"


@pytest.mark.parametrize("strangers", [one, many])
async def test_twenty_requests_by_strangers_leave_the_owner_a_code(at, inbox, strangers, clock):
    for number in range(20):
        status, _ = await at(strangers(number), "request")
        assert status in {200, 429}
        clock.advance(seconds=5)

    assert (await at("203.0.113.5", "request"))[0] == 200
    code = (await inbox())[-1]
    assert (await at("203.0.113.5", "verify", code=code))[0] == 200
    # An hour later it is all the same.
    clock.advance(hours=1)
    assert (await at("203.0.113.5", "request"))[0] == 200
    assert (await at("203.0.113.5", "verify", code=(await inbox())[-1]))[0] == 200


@pytest.mark.parametrize("strangers", [one, many])
async def test_requests_by_strangers_do_not_void_the_code_that_is_being_typed(at, inbox, strangers):
    await at("203.0.113.5", "request")
    code = (await inbox())[-1]

    for number in range(20):
        await at(strangers(number), "request")

    status, document = await at("203.0.113.5", "verify", code=code)
    assert (status, document["customer"]["phone"]) == (200, PHONE)


async def test_wrong_codes_of_strangers_do_not_void_the_code_that_is_being_typed(at, inbox):
    await at("203.0.113.5", "request")
    code = (await inbox())[-1]
    wrong = f"{(int(code) + 1) % 10**6:06}"

    reasons = [(await at(many(number), "verify", code=wrong))[1]["reason"] for number in range(20)]

    assert reasons == ["otp_invalid"] * 5 + ["otp_exhausted"] * 15
    assert (await at("203.0.113.5", "verify", code=code))[0] == 200


async def test_requests_and_wrong_codes_together_leave_the_owner_a_way_in(at, inbox):
    for number in range(20):
        await at(many(number), "request")
        await at(many(number), "verify", code="000000")
        await at(many(100 + number), "verify", code="000000")

    assert (await at("203.0.113.5", "request"))[0] == 200
    if "000000" not in await inbox():
        assert (await at("203.0.113.5", "verify", code=(await inbox())[-1]))[0] == 200


async def test_what_a_phone_costs_is_capped_over_all_stores(at, client, owner, monkeypatch, clock):
    settings = codes.runtime.settings().model_copy(update={"login_codes_per_address": 6})
    monkeypatch.setattr(codes.runtime, "settings", lambda: settings)
    phone = "+351912349999"

    async def request(store_id, number):
        path = f"/api/v1/restaurants/{store_id}/customer/otp/request"
        address = (f"198.51.{number // 250}.{number % 250}", 4711)
        return (await client.post(path, json={"phone": phone}, scope_base={"client": address})).status_code

    stores = [await owner.store() for _ in range(16)]
    for number in range(200):
        await request(stores[number % len(stores)], number)

    sent = "SELECT count(*) FROM notifications_message WHERE owner_id = $1 AND address = $2"
    assert await sql.fetch_value(sent, owner.id, phone) == 12
    # A store that has sent none tells when it will; that is no longer than an hour and a bit.
    assert await request(stores[-1], 999) == 429
    clock.advance(seconds=code_budget.DAY.total_seconds() / codes.LOGIN_RULES.max_per_day + 1)
    assert await request(stores[-1], 999) == 200
    assert await sql.fetch_value(sent, owner.id, phone) == 13
