"""Webhooks of Stripe: signed, and about the accounts of whoever signed."""

import pytest
import stripe
from comanda.devkit.testing import TestStore
from hosted_checkout import KEY, OPERATOR_SECRET

ACCOUNTS = "/api/v1/payment-accounts"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"type": 1}', b'{"type": "checkout.session.completed", "data": 1}', b"\xff"]
)
async def test_signed_nonsense_is_refused(client, operator, body):
    signature = stripe.WebhookSignature.generate_signature_header(body.decode("latin-1"), OPERATOR_SECRET)

    response = await client.post("/api/v1/payments/webhooks/stripe", data=body, headers={"Stripe-Signature": signature})

    assert response.status_code in (400, 401)


async def test_unexpected_events_are_received(client, api, operator, shared_webhook):
    assert await shared_webhook("customer.created", {}) == 200


async def test_own_secret_does_not_speak_for_the_account_of_another(api, client, store, other_owner, order, pay):
    """An owner knows the secret of an own endpoint, and could sign with it what Stripe never said."""
    mine = await store.send_to(ACCOUNTS, "POST", {"provider": "stripe", "credentials": {"secret_key": KEY}})
    api.keys["sk_test_thief"] = "acct_thief"
    thief = TestStore(client, other_owner, await other_owner.store())
    theirs = await thief.send_to(
        ACCOUNTS, "POST", {"provider": "stripe", "credentials": {"secret_key": "sk_test_thief"}}
    )
    await pay()
    session = {**api.session, "status": "complete", "payment_status": "paid"}
    path = theirs["webhook_url"].removeprefix("http://comanda.test")

    for account in ({}, {"account": mine["external_id"]}):
        body, headers = api.sign_event("checkout.session.completed", session, **account)
        assert (await client.post(path, data=body, headers=headers)).status_code == 200

    assert (await store.get(f"/orders/{order['id']}"))["payment_status"] == "unpaid"
