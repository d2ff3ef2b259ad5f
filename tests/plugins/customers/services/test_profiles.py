"""Profiles of customers."""


async def test_update_changes_given_fields_only(ada, clock):
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


async def test_new_email_cannot_log_in_until_proven(ada, make_shopper):
    changed = await ada.send("PUT", "/me", {"email": "king@example.com"})
    password = "correct horse"

    assert (changed["email"], changed["email_verified"]) == ("king@example.com", False)
    assert (await make_shopper().call_public("login", email="king@example.com", password=password)).status == 401
    assert (await make_shopper().call_public("login", email="ada@example.com", password=password)).status == 200
    code = await ada.request_code(email="king@example.com", purpose="proof")
    proven = await ada.send("PUT", "/me", {"email": "king@example.com", "code": code})
    assert (proven.status, proven["email_verified"]) == (200, True)
    assert (await make_shopper().call_public("login", email="king@example.com", password=password)).status == 200
    assert (await make_shopper().call_public("login", email="ada@example.com", password=password)).status == 401


async def test_proven_phone_logs_in_same_customer(ada, make_shopper):
    code = await ada.request_code(phone="+351912345678", purpose="proof")
    proven = await ada.send("PUT", "/me", {"phone": "+351 912 345 678", "code": code})
    assert (proven["phone"], proven["phone_verified"]) == ("+351912345678", True)

    assert (await make_shopper().log_in_by_code(phone="+351912345678"))["customer"]["id"] == ada.id
    # Nothing was taken over: the first device and the password stay good.
    assert (await ada.send("GET", "/me")).status == 200


async def test_last_contact_cannot_be_removed(make_shopper):
    somebody = make_shopper()
    await somebody.call_public("register", name="Ada", phone="+351912345678")

    assert list((await somebody.send("PUT", "/me", {"phone": None})).errors) == ["email"]
    assert (await somebody.get("/me"))["phone"] == "+351912345678"
