"""Registration of customers."""

import asyncio

from comanda_customers.models import Customer

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


async def test_new_customer_is_logged_in_and_published(make_shopper, store_id, published):
    somebody = make_shopper()

    reply = await somebody.call_public("register", **ADA, phone="+351 912 345 678", consents={"terms": True})

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


async def test_registered_email_or_phone_requires_code(ada, make_shopper, read_customers):
    await ada.send("PUT", "/me", {"phone": "+351912345678"})
    before = await read_customers()

    again = await make_shopper().call_public("register", **ADA)
    by_phone = await make_shopper().call_public("register", name="Eve", phone="+351 912345678")

    assert (list(again.errors), list(by_phone.errors)) == (["email"], ["phone"])
    assert await read_customers() == before


async def test_concurrent_registrations_create_one_customer(make_shopper, read_customers, published):
    replies = await asyncio.gather(*(make_shopper().call_public("register", **ADA) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422]
    assert (len(await read_customers()), len(await published())) == (1, 1)


async def test_registration_by_phone_is_found_at_login(make_shopper):
    somebody = make_shopper()
    registered = await somebody.call_public("register", name="Ada", phone="+351912345678")

    verified = await make_shopper().log_in_by_code(phone="+351912345678")

    assert registered.status == 201
    assert (verified["customer"]["id"], verified["created"]) == (registered["customer"]["id"], False)
    assert (await somebody.send("GET", "/me")).status == 401


async def test_password_is_stored_as_argon2id_hash(genuine_password_hasher, ada):
    kept = (await Customer.get(id=ada.id)).password_hash

    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
