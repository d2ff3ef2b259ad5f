"""The demo bank passes what every provider has to pass, and does not exist in production."""

from comanda.devkit.testing import DisputeSuite, PaymentProviderSuite, PayoutSuite, line


class TestDemoBank(PaymentProviderSuite):
    pass


class TestDisputes(DisputeSuite):
    pass


class TestPayouts(PayoutSuite):
    pass


async def test_dispute_is_opened_and_decided_once(read, payment, provider_fake):
    url = payment["redirect_url"]
    await provider_fake.answer(url, "dispute")
    assert "This payment is disputed." not in (await read(url))[1]

    await provider_fake.pay(url)
    assert "Dispute this payment" in (await read(url))[1]
    await provider_fake.answer(url, "dispute")
    assert "This payment is disputed." in (await read(url))[1]
    for answer in ("lose", "win", "dispute"):
        await provider_fake.answer(url, answer)

    assert "The bank decided for the guest." in (await read(url))[1]


async def test_production_has_no_demo_bank(store, read, payment, provider_fake, in_production):
    assert (await read(payment["redirect_url"]))[0] == 404
    await provider_fake.answer(payment["redirect_url"], "pay")
    assert await provider_fake.list_collected() == []
    assert "demo" not in [each["code"] for each in (await store.send_to("/api/v1/payment-providers")).document]
    reply = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo", "restaurant_id": store.id})
    assert "demo" not in reply.errors["provider"][0].removeprefix("Must be one of")
    order = await store.order(line(await store.item("Tea", 3)))
    again = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "demo"})
    assert (again.status, again["status"], again["failure"]) == (
        201,
        "failed",
        "The demo bank is for development only.",
    )
