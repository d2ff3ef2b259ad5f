"""E-mail addresses and phone numbers."""


async def test_number_defaults_to_country_of_store(make_shopper, store):
    await store.send("PUT", "/settings", {"country": "PT"})

    reply = await make_shopper().call_public("register", name="Ada", phone="912 345 678")

    assert reply["customer"]["phone"] == "+351912345678"


async def test_code_request_requires_country_code(make_shopper):
    assert list((await make_shopper().call_public("otp/request", phone="912345678")).errors) == ["phone"]
