"""Logging in by password and by code, and out."""

import asyncio
import statistics
import time

import pytest
from argon2 import PasswordHasher
from comanda.accounts import codes
from comanda.db import sql
from comanda.errors import RateLimited, Unauthenticated
from comanda_customers.models import Customer
from comanda_customers.schemas.accounts import CodeBody, CodeRequest, LoginBody
from comanda_customers.services import entering, shops

ADA = {"email": "ada@example.com", "password": "correct horse"}
PHONE = "+351912345678"


async def test_each_device_has_a_token_and_logging_out_ends_that_one(ada, shopper):
    laptop = shopper()
    reply = await laptop.enter("login", email=" ADA@example.com ", password="correct horse", device="laptop")

    assert (reply.status, reply["customer"]["id"]) == (200, ada.id)
    out = await laptop.send("POST", "/logout")
    assert (out.status, out.document) == (200, {"message": "You are logged out."})
    assert (await laptop.send("GET", "/me")).status == 401
    assert (await ada.send("GET", "/me")).status == 200


async def test_a_wrong_password_and_an_unknown_email_answer_alike(ada, shopper):
    wrong = await shopper().enter("login", email="ada@example.com", password="wrong horse")
    unknown = await shopper().enter("login", email="eve@example.com", password="wrong horse")
    no_password = await shopper().enter("login", email="eve@example.com", password="")

    for reply in (wrong, unknown, no_password):
        assert (reply.status, reply["code"], reply["reason"]) == (401, "unauthenticated", "invalid_credentials")
    assert {**wrong.document, "request_id": ""} == {**unknown.document, "request_id": ""}


async def test_an_unknown_email_takes_as_long_as_a_wrong_password(ada, store_id):
    shop = await shops.open_to_all(store_id)

    async def seconds(email):
        started = time.perf_counter()
        with pytest.raises(Unauthenticated):
            await entering.login(shop, LoginBody(email=email, password="wrong horse"))
        return time.perf_counter() - started

    known = statistics.median([await seconds("ada@example.com") for _ in range(7)])
    unknown = statistics.median([await seconds("eve@example.com") for _ in range(7)])
    assert 0.4 < known / unknown < 2.5


async def test_ten_failures_with_one_email_are_enough_for_15_minutes(ada, store_id, clock):
    shop = await shops.open_to_all(store_id)
    wrong, right = LoginBody(email="ada@example.com", password="wrong horse"), LoginBody(**ADA)
    # All at once, as whoever guesses would.
    outcomes = await asyncio.gather(*(entering.login(shop, wrong) for _ in range(14)), return_exceptions=True)

    assert sum(isinstance(one, Unauthenticated) for one in outcomes) == 10
    assert sum(isinstance(one, RateLimited) for one in outcomes) == 4
    with pytest.raises(RateLimited) as refused:
        await entering.login(shop, right)
    assert 0 < int(refused.value.headers["Retry-After"]) <= 15 * 60 + 1
    clock.advance(minutes=15)
    assert (await entering.login(shop, right))["customer"]["id"] == ada.id


async def test_a_success_forgets_the_failures_before(ada, store_id):
    shop = await shops.open_to_all(store_id)
    for _ in range(2):
        for _ in range(9):
            with pytest.raises(Unauthenticated):
                await entering.login(shop, LoginBody(email="ada@example.com", password="wrong horse"))
        await entering.login(shop, LoginBody(**ADA))


async def test_a_hash_of_old_parameters_is_made_anew_at_login(ada, shopper):
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("correct horse")
    await Customer.filter(id=ada.id).update(password_hash=old)

    assert (await shopper().enter("login", **ADA)).status == 200
    assert (await Customer.get(id=ada.id)).password_hash.startswith("$argon2id$v=19$m=19456")


async def test_the_eleventh_call_of_a_minute_is_one_too_many(shopper, clock):
    somebody = shopper()

    statuses = [(await somebody.enter("login", email="eve@example.com", password="x")).status for _ in range(12)]

    # A minute may end in between.
    assert statuses.count(401) >= 10
    assert set(statuses) <= {401, 429}


async def test_the_seventh_code_of_a_minute_is_one_too_many(shopper):
    somebody = shopper()

    replies = [await somebody.enter("otp/request", phone=f"+35191234567{number}") for number in range(7)]

    assert [reply.status for reply in replies][:3] == [200, 200, 200]
    assert replies[-1].status in {200, 429}


async def test_a_code_makes_a_customer_and_finds_them_again(shopper, published, store_id):
    first, second = shopper(), shopper()

    made = await first.verified(phone=PHONE)
    found = await second.verified(phone=PHONE)

    assert (made["created"], found["created"]) == (True, False)
    assert made["customer"]["id"] == found["customer"]["id"]
    assert (made["customer"]["phone"], made["customer"]["phone_verified"]) == (PHONE, True)
    events = await published()
    assert [(name, data["source"], data["phone"]) for name, data in events] == [("customer.created", "otp", PHONE)]
    # Both devices stay logged in.
    assert [(await one.send("GET", "/me")).status for one in (first, second)] == [200, 200]


async def test_requesting_a_code_tells_nothing_and_does_the_same_for_everybody(shopper, owner):
    somebody = shopper()
    await somebody.verified(phone=PHONE)
    before = await _counts(owner)

    known = await shopper().enter("otp/request", phone=PHONE)
    between = await _counts(owner)
    unknown = await shopper().enter("otp/request", phone="+351912345679")
    after = await _counts(owner)

    assert known.document == unknown.document == {"sent": True, "expires_in": 600}
    assert [new - old for old, new in zip(before, between, strict=True)] == [1, 1, 0]
    assert [new - old for old, new in zip(between, after, strict=True)] == [1, 1, 0]


async def _counts(owner):
    return [
        await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)
        for table in ("core_login_code", "notifications_message", "customers_customer")
    ]


async def test_neither_code_nor_phone_can_be_read_in_the_table_of_codes(shopper, owner):
    code = await shopper().sent_code(phone=PHONE)

    row = await sql.fetch_value("SELECT to_jsonb(c)::text FROM core_login_code c WHERE owner_id = $1", owner.id)
    assert code not in row.replace("created_at", "").split('"')
    assert PHONE[1:] not in row


@pytest.mark.parametrize("phone", ["", "12", "x" * 51, "call me", 5, None])
async def test_a_code_is_sent_to_a_phone(shopper, phone, owner):
    reply = await shopper().enter("otp/request", phone=phone)

    assert list(reply.errors) == ["phone"]
    assert (await _counts(owner))[:2] == [0, 0]


async def test_a_number_without_a_country_cannot_be_reached(shopper):
    assert list((await shopper().enter("otp/request", phone="912345678")).errors) == ["phone"]


async def test_a_code_works_once(shopper):
    code = await shopper().sent_code(phone=PHONE)

    assert (await shopper().enter("otp/verify", phone=PHONE, code=code)).status == 200
    again = await shopper().enter("otp/verify", phone=PHONE, code=code)
    assert (again.status, again["reason"], list(again.errors)) == (422, "otp_invalid", ["code"])


async def test_of_many_who_try_one_code_at_once_one_gets_in(shopper, customers_rows):
    code = await shopper().sent_code(phone=PHONE)

    replies = await asyncio.gather(*(shopper().enter("otp/verify", phone=PHONE, code=code) for _ in range(6)))

    assert sorted(reply.status for reply in replies) == [200, 422, 422, 422, 422, 422]
    assert len(await customers_rows()) == 1


async def test_a_code_is_good_for_ten_minutes(shopper, clock):
    code = await shopper().sent_code(phone=PHONE)
    clock.advance(minutes=10)

    late = await shopper().enter("otp/verify", phone=PHONE, code=code)

    assert (late.status, late["reason"]) == (422, "otp_expired")


async def test_five_wrong_tries_end_a_code_also_for_the_right_one(shopper):
    code = await shopper().sent_code(phone=PHONE)
    wrong = f"{(int(code) + 1) % 10**6:06}"

    replies = await asyncio.gather(*(shopper().enter("otp/verify", phone=PHONE, code=wrong) for _ in range(7)))
    right = await shopper().enter("otp/verify", phone=PHONE, code=code)

    assert sorted(reply["reason"] for reply in replies) == ["otp_exhausted"] * 2 + ["otp_invalid"] * 5
    assert (right.status, right["reason"]) == (422, "otp_exhausted")


async def test_a_code_stays_good_beside_a_newer_one(shopper):
    old = await shopper().sent_code(phone=PHONE)
    new = await shopper().sent_code(phone=PHONE)

    assert (await shopper().enter("otp/verify", phone=PHONE, code=old)).status == 200
    if old != new:
        assert (await shopper().enter("otp/verify", phone=PHONE, code=old))["reason"] == "otp_invalid"
        assert (await shopper().enter("otp/verify", phone=PHONE, code=new)).status == 200


async def test_a_code_is_of_one_phone_and_one_store(shopper, owner):
    code = await shopper().sent_code(phone=PHONE)
    elsewhere = shopper(await owner.store())
    await elsewhere.sent_code(phone="+351912345679")

    for somebody, phone in ((shopper(), "+351912345679"), (elsewhere, PHONE)):
        assert (await somebody.enter("otp/verify", phone=phone, code=code))["reason"] == "otp_invalid"
    assert (await shopper().enter("otp/verify", phone=PHONE, code=code)).status == 200


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "\uff11\uff12\uff13\uff14\uff15\uff16", " 123456"])
async def test_what_is_no_code_is_wrong(shopper, code):
    await shopper().sent_code(phone=PHONE)

    assert (await shopper().enter("otp/verify", phone=PHONE, code=code))["reason"] == "otp_invalid"


async def test_twenty_codes_a_day_are_sent_to_a_phone(store_id, clock, owner):
    shop = await shops.open_to_all(store_id)
    for number in range(20):
        await entering.request_code(shop, CodeRequest(phone=PHONE), source=f"source {number % 2}")
        clock.advance(minutes=30)

    # A source has had its ten until the first of them is a day old; whoever asks from elsewhere waits for their turn.
    for source, wait in (("source 0", 14 * 3600), ("another source", 42 * 60)):
        with pytest.raises(RateLimited) as refused:
            await entering.request_code(shop, CodeRequest(phone=PHONE), source=source)
        assert int(refused.value.headers["Retry-After"]) == wait + 1
    assert (await _counts(owner))[:2] == [20, 20]
    clock.advance(minutes=42, seconds=1)
    await entering.request_code(shop, CodeRequest(phone=PHONE), source="another source")
    assert (await _counts(owner))[:2] == [21, 21]


async def test_codes_that_count_no_longer_are_forgotten(store_id, clock, owner):
    shop = await shops.open_to_all(store_id)
    await entering.request_code(shop, CodeRequest(phone=PHONE))
    clock.advance(hours=24)
    await codes.delete_expired_codes()
    assert (await _counts(owner))[0] == 1
    clock.advance(hours=1, seconds=1)
    await codes.delete_expired_codes()
    assert (await _counts(owner))[0] == 0


async def test_a_customer_of_one_store_is_nobody_in_another_of_the_same_owner(ada, shopper, owner, store):
    other_id = await owner.store()
    elsewhere = shopper(other_id)

    assert (await elsewhere.enter("login", **ADA)).status == 401
    verified = await elsewhere.verified(email="ada@example.com")
    assert verified["created"] is True
    assert verified["customer"]["id"] != ada.id
    assert [row["id"] for row in (await store.get("/customers"))["data"]] == [ada.id]
    other = type(store)(store.client, owner, other_id)
    assert (await other.send("GET", f"/customers/{ada.id}")).status == 404


async def test_a_suspended_owners_customers_find_nothing(ada, shopper, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await shopper().enter("login", **ADA)).status == 404
    assert (await shopper().enter("otp/request", phone=PHONE)).status == 404
    assert (await ada.send("GET", "/me")).status == 403


async def test_a_customers_token_opens_no_owners_route_and_an_owners_no_customers(ada, client, owner, store_id):
    for path in ("/me", "/orders", "/addresses", "/me/export"):
        response = await client.get(f"/api/v1/customer{path}", headers=owner.auth)
        assert response.status_code == 401
    auth = {"Authorization": f"Bearer {ada.token}"}
    for path in (f"/restaurants/{store_id}/customers", f"/restaurants/{store_id}/customers/{ada.id}"):
        assert (await client.get(f"/api/v1{path}", headers=auth)).status_code == 401


def test_a_code_body_takes_any_text():
    assert CodeBody(phone=PHONE, code="x").code == "x"
