"""Login by password and by code."""

import statistics
import time

import pytest
from argon2 import PasswordHasher
from comanda.basics import Unauthenticated
from comanda_customers.models import Customer
from comanda_customers.schemas.accounts import LoginBody
from comanda_customers.services import stores
from comanda_customers.services.sign_in import login

ADA = {"email": "ada@example.com", "password": "correct horse"}


PHONE = "+351912345678"


async def test_wrong_password_and_unknown_email_look_alike(ada, make_shopper):
    wrong = await make_shopper().call_public("login", email="ada@example.com", password="wrong horse")
    unknown = await make_shopper().call_public("login", email="eve@example.com", password="wrong horse")
    no_password = await make_shopper().call_public("login", email="eve@example.com", password="")

    for reply in (wrong, unknown, no_password):
        assert (reply.status, reply["code"], reply["reason"]) == (401, "unauthenticated", "invalid_credentials")
    assert {**wrong.document, "request_id": ""} == {**unknown.document, "request_id": ""}


async def test_timing_does_not_reveal_known_email(genuine_password_hasher, ada, store_id):
    shop = await stores.get_published_store(store_id)

    async def seconds(email):
        started = time.process_time()
        with pytest.raises(Unauthenticated):
            await login.log_in_by_password(shop, LoginBody(email=email, password="wrong horse"))
        return time.process_time() - started

    known = statistics.median([await seconds("ada@example.com") for _ in range(7)])
    unknown = statistics.median([await seconds("eve@example.com") for _ in range(7)])
    assert 0.4 < known / unknown < 2.5


async def test_outdated_hash_is_replaced_at_login(genuine_password_hasher, ada, make_shopper):
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("correct horse")
    await Customer.filter(id=ada.id).update(password_hash=old)

    assert (await make_shopper().call_public("login", **ADA)).status == 200
    assert (await Customer.get(id=ada.id)).password_hash.startswith("$argon2id$v=19$m=19456")


async def test_code_login_creates_and_finds_customer(make_shopper, published, store_id):
    first, second = make_shopper(), make_shopper()

    created = await first.log_in_by_code(phone=PHONE)
    found = await second.log_in_by_code(phone=PHONE)

    assert (created["created"], found["created"]) == (True, False)
    assert created["customer"]["id"] == found["customer"]["id"]
    assert (created["customer"]["phone"], created["customer"]["phone_verified"]) == (PHONE, True)
    events = await published()
    assert [(name, data["source"], data["phone"]) for name, data in events] == [("customer.created", "otp", PHONE)]
    # Both devices stay logged in.
    assert [(await one.send("GET", "/me")).status for one in (first, second)] == [200, 200]


async def test_account_is_limited_to_its_store(ada, make_shopper, owner, store):
    other_id = await owner.store()
    elsewhere = make_shopper(other_id)

    assert (await elsewhere.call_public("login", **ADA)).status == 401
    verified = await elsewhere.log_in_by_code(email="ada@example.com")
    assert verified["created"] is True
    assert verified["customer"]["id"] != ada.id
    assert [row["id"] for row in (await store.get("/customers"))["data"]] == [ada.id]
    other = type(store)(store.client, owner, other_id)
    assert (await other.send("GET", f"/customers/{ada.id}")).status == 404
