"""One-time codes, and attacks on them."""

import asyncio

import pytest
from comanda.accounts import codes
from comanda.accounts.sign_in import code_budget
from comanda.basics import RateLimited
from comanda.platform.db import sql
from comanda_customers.schemas.accounts import CodeRequest
from comanda_customers.services import stores
from comanda_customers.services.sign_in import login

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


PHONE = "+351912345678"


@pytest.fixture
def call_from(client, store_id):
    """Return a function that calls the door of the store from an address."""

    async def call(address, act, **body):
        path = f"/api/v1/restaurants/{store_id}/customer/otp/{act}"
        response = await client.post(path, json={"phone": PHONE, **body}, scope_base={"client": (address, 4711)})
        return response.status_code, await response.get_json()

    return call


@pytest.fixture
def read_codes(owner):
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


async def test_login_code_is_no_proof(make_shopper, store):
    await store.send("POST", "/customers", {"name": "A. L.", "email": "ada@example.com"})
    somebody = make_shopper()
    code = await somebody.request_code(email="ada@example.com")

    assert (await somebody.call_public("register", **ADA, code=code))["reason"] == "otp_invalid"


async def test_code_request_does_not_reveal_customers(make_shopper, count_rows):
    somebody = make_shopper()
    await somebody.log_in_by_code(phone=PHONE)
    before = await count_rows()

    known = await make_shopper().call_public("otp/request", phone=PHONE)
    between = await count_rows()
    unknown = await make_shopper().call_public("otp/request", phone="+351912345679")
    after = await count_rows()

    assert known.document == unknown.document == {"sent": True, "expires_in": 600}
    assert [new - old for old, new in zip(before, between, strict=True)] == [1, 1, 0]
    assert [new - old for old, new in zip(between, after, strict=True)] == [1, 1, 0]


async def test_code_and_phone_are_stored_hashed(make_shopper, owner):
    code = await make_shopper().request_code(phone=PHONE)

    row = await sql.fetch_value("SELECT to_jsonb(c)::text FROM core_login_code c WHERE owner_id = $1", owner.id)
    assert code not in row.replace("created_at", "").split('"')
    assert PHONE[1:] not in row


async def test_code_is_accepted_once(make_shopper):
    code = await make_shopper().request_code(phone=PHONE)

    assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=code)).status == 200
    again = await make_shopper().call_public("otp/verify", phone=PHONE, code=code)
    assert (again.status, again["reason"], list(again.errors)) == (422, "otp_invalid", ["code"])


async def test_concurrent_use_of_code_succeeds_once(make_shopper, read_customers):
    code = await make_shopper().request_code(phone=PHONE)

    replies = await asyncio.gather(
        *(make_shopper().call_public("otp/verify", phone=PHONE, code=code) for _ in range(6))
    )

    assert sorted(reply.status for reply in replies) == [200, 422, 422, 422, 422, 422]
    assert len(await read_customers()) == 1


async def test_code_expires_after_ten_minutes(make_shopper, clock):
    code = await make_shopper().request_code(phone=PHONE)
    clock.advance(minutes=10)

    late = await make_shopper().call_public("otp/verify", phone=PHONE, code=code)

    assert (late.status, late["reason"]) == (422, "otp_expired")


async def test_code_is_exhausted_after_five_wrong_attempts(make_shopper):
    code = await make_shopper().request_code(phone=PHONE)
    wrong = f"{(int(code) + 1) % 10**6:06}"

    replies = await asyncio.gather(
        *(make_shopper().call_public("otp/verify", phone=PHONE, code=wrong) for _ in range(7))
    )
    right = await make_shopper().call_public("otp/verify", phone=PHONE, code=code)

    assert sorted(reply["reason"] for reply in replies) == ["otp_exhausted"] * 2 + ["otp_invalid"] * 5
    assert (right.status, right["reason"]) == (422, "otp_exhausted")


async def test_code_stays_valid_beside_newer_one(make_shopper):
    old = await make_shopper().request_code(phone=PHONE)
    new = await make_shopper().request_code(phone=PHONE)

    assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=old)).status == 200
    if old != new:
        assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=old))["reason"] == "otp_invalid"
        assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=new)).status == 200


async def test_code_is_limited_to_phone_and_store(make_shopper, owner):
    code = await make_shopper().request_code(phone=PHONE)
    elsewhere = make_shopper(await owner.store())
    await elsewhere.request_code(phone="+351912345679")

    for somebody, phone in ((make_shopper(), "+351912345679"), (elsewhere, PHONE)):
        assert (await somebody.call_public("otp/verify", phone=phone, code=code))["reason"] == "otp_invalid"
    assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=code)).status == 200


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "\uff11\uff12\uff13\uff14\uff15\uff16", " 123456"])
async def test_invalid_code_is_rejected(make_shopper, code):
    await make_shopper().request_code(phone=PHONE)

    assert (await make_shopper().call_public("otp/verify", phone=PHONE, code=code))["reason"] == "otp_invalid"


async def test_phone_gets_20_codes_a_day(store_id, clock, count_rows):
    shop = await stores.get_published_store(store_id)
    for number in range(20):
        await login.request_code(shop, CodeRequest(phone=PHONE), source=f"source {number % 2}")
        clock.advance(minutes=30)

    # A source has had its ten until the first of them is a day old; whoever asks from elsewhere waits for their turn.
    for source, wait in (("source 0", 14 * 3600), ("another source", 42 * 60)):
        with pytest.raises(RateLimited) as refused:
            await login.request_code(shop, CodeRequest(phone=PHONE), source=source)
        assert int(refused.value.headers["Retry-After"]) == wait + 1
    assert (await count_rows())[:2] == [20, 20]
    clock.advance(minutes=42, seconds=1)
    await login.request_code(shop, CodeRequest(phone=PHONE), source="another source")
    assert (await count_rows())[:2] == [21, 21]


async def test_expired_codes_are_deleted(store_id, clock, count_rows):
    shop = await stores.get_published_store(store_id)
    await login.request_code(shop, CodeRequest(phone=PHONE))
    clock.advance(hours=24)
    await codes.delete_expired_codes()
    assert (await count_rows())[0] == 1
    clock.advance(hours=1, seconds=1)
    await codes.delete_expired_codes()
    assert (await count_rows())[0] == 0


@pytest.mark.parametrize("strangers", [one, many])
async def test_requests_by_strangers_leave_recipient_a_code(call_from, read_codes, strangers, clock):
    for number in range(20):
        status, _ = await call_from(strangers(number), "request")
        assert status in {200, 429}
        clock.advance(seconds=5)

    assert (await call_from("203.0.113.5", "request"))[0] == 200
    code = (await read_codes())[-1]
    assert (await call_from("203.0.113.5", "verify", code=code))[0] == 200
    # An hour later it is all the same.
    clock.advance(hours=1)
    assert (await call_from("203.0.113.5", "request"))[0] == 200
    assert (await call_from("203.0.113.5", "verify", code=(await read_codes())[-1]))[0] == 200


@pytest.mark.parametrize("strangers", [one, many])
async def test_requests_by_strangers_keep_earlier_code_valid(call_from, read_codes, strangers):
    await call_from("203.0.113.5", "request")
    code = (await read_codes())[-1]

    for number in range(20):
        await call_from(strangers(number), "request")

    status, document = await call_from("203.0.113.5", "verify", code=code)
    assert (status, document["customer"]["phone"]) == (200, PHONE)


async def test_wrong_codes_of_strangers_keep_code_valid(call_from, read_codes):
    await call_from("203.0.113.5", "request")
    code = (await read_codes())[-1]
    wrong = f"{(int(code) + 1) % 10**6:06}"

    reasons = [(await call_from(many(number), "verify", code=wrong))[1]["reason"] for number in range(20)]

    assert reasons == ["otp_invalid"] * 5 + ["otp_exhausted"] * 15
    assert (await call_from("203.0.113.5", "verify", code=code))[0] == 200


async def test_requests_and_wrong_codes_leave_recipient_a_login(call_from, read_codes):
    for number in range(20):
        await call_from(many(number), "request")
        await call_from(many(number), "verify", code="000000")
        await call_from(many(100 + number), "verify", code="000000")

    assert (await call_from("203.0.113.5", "request"))[0] == 200
    if "000000" not in await read_codes():
        assert (await call_from("203.0.113.5", "verify", code=(await read_codes())[-1]))[0] == 200


async def test_codes_per_phone_are_limited_across_stores(call_from, client, owner, monkeypatch, clock):
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
