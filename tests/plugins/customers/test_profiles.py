"""A customer's own profile and addresses."""

import asyncio

import pytest

HOME = {"label": "Home", "line1": "Rua da Prata 8", "line2": "2 Esq", "postcode": "1100-420", "city": "Lisboa"}


async def test_a_profile_changes_where_it_is_told_to(ada, clock):
    before = await ada.get("/me")
    change = {
        "name": "Ada King", "birthday": "1990-02-28", "locale": "pt-PT",
        "consents": {"marketing_sms": True, "marketing_sms_at": "1999-01-01T00:00:00Z"},
    }  # fmt: skip

    reply = await ada.send("PUT", "/me", change)

    consents = {**before["consents"], "marketing_sms": True, "marketing_sms_at": clock().isoformat()}
    assert reply.document == {
        **before, "name": "Ada King", "birthday": "1990-02-28", "locale": "pt-PT", "consents": consents,
    }  # fmt: skip
    # Said again, a consent keeps its moment; taken back, it gets a new one.
    clock.advance(days=1)
    again = await ada.send("PUT", "/me", reply.document)
    assert again.document == reply.document
    back = await ada.send("PUT", "/me", {"consents": {"marketing_sms": False}})
    assert back["consents"]["marketing_sms_at"] == clock().isoformat()
    assert back["consents"]["marketing_sms"] is False


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "nobody"}, "email"), ({"phone": "12"}, "phone"), ({"birthday": "2999-01-01"}, "birthday"),
        ({"consents": {"all": True}}, "consents.all"), ({"name": ""}, "name"), ({"code": "x"}, "code"),
        ({"email": "eve@example.com", "name": "Eve"}, "email"), ({"phone": "+351912345678", "code": "000000"}, "code"),
    ],
)  # fmt: skip
async def test_what_will_not_do_changes_nothing(ada, shopper, customers_rows, change, field):
    await shopper().verified(email="eve@example.com")
    before = await customers_rows()

    reply = await ada.send("PUT", "/me", change)

    assert list(reply.errors) == [field]
    assert await customers_rows() == before


async def test_a_new_email_opens_no_door_before_it_is_proven(ada, shopper):
    changed = await ada.send("PUT", "/me", {"email": "king@example.com"})
    password = "correct horse"

    assert (changed["email"], changed["email_verified"]) == ("king@example.com", False)
    assert (await shopper().enter("login", email="king@example.com", password=password)).status == 401
    assert (await shopper().enter("login", email="ada@example.com", password=password)).status == 200
    code = await ada.sent_code(email="king@example.com", purpose="proof")
    proven = await ada.send("PUT", "/me", {"email": "king@example.com", "code": code})
    assert (proven.status, proven["email_verified"]) == (200, True)
    assert (await shopper().enter("login", email="king@example.com", password=password)).status == 200
    assert (await shopper().enter("login", email="ada@example.com", password=password)).status == 401


async def test_a_phone_that_is_proven_logs_in_the_same_customer(ada, shopper):
    code = await ada.sent_code(phone="+351912345678", purpose="proof")
    proven = await ada.send("PUT", "/me", {"phone": "+351 912 345 678", "code": code})
    assert (proven["phone"], proven["phone_verified"]) == ("+351912345678", True)

    assert (await shopper().verified(phone="+351912345678"))["customer"]["id"] == ada.id
    # Nothing was taken over: the first device and the password stay good.
    assert (await ada.send("GET", "/me")).status == 200


async def test_somebody_stays_reachable(shopper):
    somebody = shopper()
    await somebody.enter("register", name="Ada", phone="+351912345678")

    assert list((await somebody.send("PUT", "/me", {"phone": None})).errors) == ["email"]
    assert (await somebody.get("/me"))["phone"] == "+351912345678"


async def test_the_first_address_is_the_default_and_another_takes_its_place(ada):
    first = await ada.send("POST", "/addresses", {**HOME, "lat": 38.71, "lng": -9.13, "is_default": False})
    second = await ada.send("POST", "/addresses", {"address": "Praça do Comércio, Lisboa", "country": "pt"})
    third = await ada.send("POST", "/addresses", {"line1": "Office", "is_default": True})

    assert (first.status, first["is_default"], first["lat"]) == (201, True, 38.71)
    assert first["address"] == "Rua da Prata 8, 2 Esq, 1100-420 Lisboa"
    assert (second["line1"], second["address"], second["country"], second["is_default"]) == (
        "Praça do Comércio, Lisboa", "Praça do Comércio, Lisboa, PT", "PT", False,
    )  # fmt: skip
    listed = (await ada.get("/addresses"))["data"]
    assert [(one["id"], one["is_default"]) for one in listed] == [
        (third["id"], True), (second["id"], False), (first["id"], False),
    ]  # fmt: skip
    assert (await ada.send("DELETE", f"/addresses/{third['id']}")).status == 204
    assert [one["id"] for one in (await ada.get("/addresses"))["data"] if one["is_default"]] == [first["id"]]


async def test_an_address_changes_where_it_is_told_to(ada):
    path = f"/addresses/{(await ada.send('POST', '/addresses', HOME))['id']}"

    changed = await ada.send("PUT", path, {"line2": None, "instructions": "Ring twice", "is_default": False})

    assert (changed["line1"], changed["line2"], changed["instructions"]) == ("Rua da Prata 8", None, "Ring twice")
    assert changed["is_default"] is True
    whole = await ada.send("PUT", path, {"address": "Rossio 1, Lisboa"})
    assert (whole["address"], whole["city"], whole["instructions"]) == ("Rossio 1, Lisboa", None, "Ring twice")


@pytest.mark.parametrize(
    "body",
    [
        {}, {"line1": ""}, {"line1": "x" * 256}, {"line1": "x", "lat": 91, "lng": 0}, {"line1": "x", "lat": 1},
        {"line1": "x", "country": "Portugal"}, {"line1": "x", "lat": "north", "lng": 0}, {"label": "Home"},
    ],
)  # fmt: skip
async def test_an_address_that_will_not_do_is_not_saved(ada, body):
    assert (await ada.send("POST", "/addresses", body)).status == 422
    assert (await ada.get("/addresses"))["data"] == []


async def test_twenty_addresses_and_one_default_also_when_saved_at_once(ada):
    replies = await asyncio.gather(
        *(ada.send("POST", "/addresses", {"line1": f"Street {number}", "is_default": True}) for number in range(22))
    )

    assert sorted(reply.status for reply in replies) == [201] * 20 + [422] * 2
    listed = (await ada.get("/addresses"))["data"]
    assert (len(listed), sum(one["is_default"] for one in listed)) == (20, 1)


async def test_an_address_of_somebody_elses_is_not_there(ada, shopper, owner):
    path = f"/addresses/{(await ada.send('POST', '/addresses', HOME))['id']}"
    eve, elsewhere = shopper(), shopper(await owner.store())
    await eve.verified(email="eve@example.com")
    await elsewhere.verified(email="ada@example.com")

    for other in (eve, elsewhere):
        assert (await other.send("PUT", path, {"line1": "Stolen", "is_default": True})).status == 404
        assert (await other.send("DELETE", path)).status == 404
    assert [one["line1"] for one in (await ada.get("/addresses"))["data"]] == ["Rua da Prata 8"]
