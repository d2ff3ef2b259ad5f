"""Claims of e-mails and phones."""

ADA = {"name": "Ada Lovelace", "email": "Ada@Example.com", "password": "correct horse", "device": "Ada's phone"}


async def test_contact_is_claimed_only_with_code(make_shopper, store, published):
    contact = await store.send("POST", "/customers", {"name": "A. L.", "email": "ada@example.com"})
    somebody = make_shopper()

    assert list((await somebody.call_public("register", **ADA)).errors) == ["email"]
    code = await somebody.request_code(email="ada@example.com", purpose="proof")
    wrong = await somebody.call_public("register", **ADA, code="000000" if code != "000000" else "000001")
    claimed = await somebody.call_public("register", **ADA, code=code)

    assert (wrong.status, wrong["reason"]) == (422, "otp_invalid")
    assert (claimed.status, claimed["customer"]["id"]) == (201, contact["id"])
    assert (claimed["customer"]["name"], claimed["customer"]["email_verified"]) == ("Ada Lovelace", True)
    assert [data["source"] for _, data in await published()] == ["owner"]
    assert (await make_shopper().call_public("login", **ADA)).status == 200


async def test_claim_by_email_removes_unproven_password(ada, make_shopper):
    somebody = make_shopper()

    reply = await somebody.log_in_by_code(email="ada@example.com")

    assert (reply["customer"]["id"], reply["created"]) == (ada.id, False)
    assert (await ada.send("GET", "/me")).status == 401
    assert (await make_shopper().call_public("login", **ADA)).status == 401


async def test_claim_by_phone_detaches_it_from_other_account(make_shopper):
    eve, ada = make_shopper(), make_shopper()
    eves = await eve.log_in_by_code(email="eve@example.com")
    await eve.send("PUT", "/me", {"phone": "+351912345678", "name": "Eve"})

    adas = await ada.log_in_by_code(phone="+351912345678")

    assert adas["created"] is True
    assert adas["customer"]["id"] != eves["customer"]["id"]
    assert (await eve.get("/me"))["phone"] is None
    assert (await ada.get("/me"))["name"] is None
