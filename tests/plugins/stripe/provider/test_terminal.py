"""Stripe Terminal, with Stripe's library in between, passes what all card readers have to pass."""

import pytest
from comanda.devkit.testing import CardReaderSuite
from comanda_payments.services.accounts import terms
from comanda_stripe.provider.terminal import NO_LOCATION


class TestTerminal(CardReaderSuite):
    pass


@pytest.fixture
async def account(store, api):
    reply = await store.send_to(
        "/api/v1/payment-accounts", "POST", {"provider": "stripe", "credentials": {"secret_key": "sk_test_1"}}
    )
    assert reply.status == 201
    return reply.document


@pytest.fixture
def register(store, account, reader_fake):
    async def send(**fields):
        body = {"name": "Bar", "code": reader_fake.code, **fields}
        return await store.send_to(f"/api/v1/payment-accounts/{account['id']}/readers", "POST", body)

    return send


async def test_reader_with_an_unknown_code_is_refused(register, api):
    reply = await register(code="wrong")

    assert (reply.status, reply["reason"]) == (409, "refused")
    assert api.readers == {}


async def test_account_without_a_location_says_so(register, api):
    api.locations.clear()

    reply = await register()

    assert (reply.status, reply["message"]) == (409, NO_LOCATION)


async def test_webhook_books_a_payment_on_a_reader_once(client, store, register, account, api, order, published):
    reader = (await register())["reference"]
    reply = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "stripe", "reader": reader})
    assert reply["status"] == "pending"
    api.hold_card(reader)
    [intent] = api.intents.values()
    body, headers = api.sign_event("payment_intent.succeeded", intent)

    for _ in range(2):
        response = await client.post(f"/api/v1/payments/webhooks/stripe/{account['webhook_url'].rpartition('/')[2]}",
                                     data=body, headers=headers)  # fmt: skip
        assert response.status_code == 200

    assert [name for name, _ in await published() if name == "order.paid"] == ["order.paid"]


async def test_lent_account_takes_no_payment_on_readers(store, api, operator, order, owner):
    await terms.set_loan(owner.id, lends_account=True)
    assert (await store.send("POST", f"/orders/{order['id']}/payments", {"method": "stripe"})).status == 201

    reply = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "stripe", "reader": "tmr_1"})

    assert (reply.status, list(reply.errors)) == (422, ["method"])
    assert api.intents == {}
