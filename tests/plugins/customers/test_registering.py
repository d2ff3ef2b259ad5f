"""Registering, and who an e-mail or phone belongs to."""

import asyncio

import pytest
from comanda_customers.models import Customer

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


async def test_a_new_customer_is_logged_in_and_announced(shopper, store_id, published):
    somebody = shopper()

    reply = await somebody.enter("register", **ADA, phone="+351 912 345 678", consents={"terms": True})

    customer = reply["customer"]
    assert (reply.status, reply["token"][:4]) == (201, "cus_")
    assert (customer["name"], customer["email"], customer["phone"]) == (
        "Ada Lovelace", "ada@example.com", "+351912345678",
    )  # fmt: skip
    assert (customer["email_verified"], customer["phone_verified"], customer["orders_count"]) == (False, False, 0)
    assert (customer["consents"]["terms"], customer["consents"]["marketing_email"]) == (True, False)
    assert await somebody.get("/me") == customer
    assert await published() == [
        (
            "customer.created",
            {
                "id": customer["id"], "restaurant_id": store_id, "name": "Ada Lovelace", "email": "ada@example.com",
                "phone": "+351912345678", "source": "register",
            },
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password": "short"}, "password"), ({"password": "x" * 129}, "password"), ({"password": None}, "password"),
        ({"password": "ada@example.com"}, "password"), ({"email": "ada"}, "email"), ({"email": "a@b"}, "email"),
        ({"email": None, "password": None}, "email"), ({"email": None}, "email"), ({"name": " "}, "name"),
        ({"phone": "12"}, "phone"), ({"consents": {"newsletter": True}}, "consents.newsletter"),
        ({"consents": {"terms": "yes"}}, "consents.terms"), ({"birthday": "2999-01-01"}, "birthday"),
        ({"birthday": 0}, "birthday"), ({"locale": "??"}, "locale"), ({"code": "12345"}, "code"),
        ({"email": "ß" * 200 + "@example.com"}, "email"),
    ],
)  # fmt: skip
async def test_what_will_not_do_makes_nobody(shopper, customers_rows, published, change, field):
    reply = await shopper().enter("register", **{**ADA, **change})

    assert list(reply.errors) == [field]
    assert await customers_rows() == []
    assert await published() == []


async def test_a_store_that_is_not_there_or_unpublished_is_404(shopper, store):
    await store.send("PUT", "/settings", {"is_published": False})
    bodies = {
        "register": ADA, "login": ADA, "otp/request": {"phone": "+351912345678"},
        "otp/verify": {"phone": "+351912345678", "code": "123456"},
    }  # fmt: skip
    for act, body in bodies.items():
        for somebody in (shopper(), shopper(987_654_321)):
            assert (await somebody.enter(act, **body)).status == 404


async def test_a_known_email_or_phone_is_refused_without_proof(ada, shopper, customers_rows):
    await ada.send("PUT", "/me", {"phone": "+351912345678"})
    before = await customers_rows()

    again = await shopper().enter("register", **ADA)
    by_phone = await shopper().enter("register", name="Eve", phone="+351 912345678")

    assert (list(again.errors), list(by_phone.errors)) == (["email"], ["phone"])
    assert await customers_rows() == before


async def test_two_who_register_with_one_email_at_once_are_one(shopper, customers_rows, published):
    replies = await asyncio.gather(*(shopper().enter("register", **ADA) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422]
    assert (len(await customers_rows()), len(await published())) == (1, 1)


async def test_a_contact_of_the_owners_is_claimed_with_proof_and_never_silently(shopper, store, published):
    contact = await store.send("POST", "/customers", {"name": "A. L.", "email": "ada@example.com"})
    somebody = shopper()

    assert list((await somebody.enter("register", **ADA)).errors) == ["email"]
    code = await somebody.sent_code(email="ada@example.com", purpose="proof")
    wrong = await somebody.enter("register", **ADA, code="000000" if code != "000000" else "000001")
    claimed = await somebody.enter("register", **ADA, code=code)

    assert (wrong.status, wrong["reason"]) == (422, "otp_invalid")
    assert (claimed.status, claimed["customer"]["id"]) == (201, contact["id"])
    assert (claimed["customer"]["name"], claimed["customer"]["email_verified"]) == ("Ada Lovelace", True)
    assert [data["source"] for _, data in await published()] == ["owner"]
    assert (await shopper().enter("login", **ADA)).status == 200


async def test_a_code_for_logging_in_proves_nothing_else(shopper, store):
    await store.send("POST", "/customers", {"name": "A. L.", "email": "ada@example.com"})
    somebody = shopper()
    code = await somebody.sent_code(email="ada@example.com")

    assert (await somebody.enter("register", **ADA, code=code))["reason"] == "otp_invalid"


async def test_whoever_proves_an_email_ends_the_password_that_nobody_proved(ada, shopper):
    somebody = shopper()

    reply = await somebody.verified(email="ada@example.com")

    assert (reply["customer"]["id"], reply["created"]) == (ada.id, False)
    assert (await ada.send("GET", "/me")).status == 401
    assert (await shopper().enter("login", **ADA)).status == 401


async def test_whoever_proves_a_phone_takes_it_from_an_account_of_somebody_elses(shopper):
    eve, ada = shopper(), shopper()
    eves = await eve.verified(email="eve@example.com")
    await eve.send("PUT", "/me", {"phone": "+351912345678", "name": "Eve"})

    adas = await ada.verified(phone="+351912345678")

    assert adas["created"] is True
    assert adas["customer"]["id"] != eves["customer"]["id"]
    assert (await eve.get("/me"))["phone"] is None
    assert (await ada.get("/me"))["name"] is None


async def test_a_phone_alone_is_enough_and_its_owner_finds_the_account(shopper):
    somebody = shopper()
    registered = await somebody.enter("register", name="Ada", phone="+351912345678")

    verified = await shopper().verified(phone="+351912345678")

    assert registered.status == 201
    assert (verified["customer"]["id"], verified["created"]) == (registered["customer"]["id"], False)
    assert (await somebody.send("GET", "/me")).status == 401


async def test_a_number_is_read_as_one_of_the_stores_country(shopper, store):
    await store.send("PUT", "/settings", {"country": "PT"})

    reply = await shopper().enter("register", name="Ada", phone="912 345 678")

    assert reply["customer"]["phone"] == "+351912345678"


async def test_a_password_is_kept_as_an_argon2id_hash(ada):
    kept = (await Customer.get(id=ada.id)).password_hash

    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
