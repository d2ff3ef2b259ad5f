"""Webhooks of providers: signatures, and payments of other accounts."""

import time
from urllib.parse import urlsplit

import pytest
from hosted_checkout import OPERATOR_SECRET


async def test_webhook_may_arrive_before_response(gateway, till, send_webhook):
    gateway.lose = 1
    await till.pay("stripe")
    gateway.pay(gateway.session)

    await send_webhook(gateway.session)

    assert await till.money() == ("paid", 20, 0)


async def test_refusal_by_bank_fails_payment(gateway, till, send_webhook):
    await till.pay("stripe")

    await send_webhook(gateway.session, "checkout.session.async_payment_failed", status="complete")

    assert (await till.payments())[0]["failure"] == "The bank refused the payment."


@pytest.mark.parametrize("wrong", ["secret", "old", "none", "nonsense"])
async def test_invalid_signature_changes_nothing(gateway, account, till, send_webhook, client, wrong):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    if wrong == "secret":
        response = await send_webhook(gateway.session, secret="guess")
    elif wrong == "old":
        response = await send_webhook(gateway.session, sent_at=int(time.time()) - 301)
    else:
        headers = {"Stripe-Signature": "t=\u0661,v1=é"} if wrong == "nonsense" else {}
        response = await client.post(urlsplit(account["webhook_url"]).path, data=b"{}", headers=headers)

    assert response.status_code == 401
    assert await till.money() == ("unpaid", 0, 0)


@pytest.mark.parametrize(
    "changes",
    [{"client_reference_id": None}, {"client_reference_id": "payment-1-99999999999999999999999"},
     {"client_reference_id": "payment-x-1"}, {"id": "cs_other"}, {"client_reference_id": ["payment"]}],
)  # fmt: skip
async def test_webhook_about_other_payment_changes_nothing(gateway, till, send_webhook, changes):
    await till.pay("stripe")
    gateway.pay(gateway.session)

    response = await send_webhook(gateway.session, **changes)

    assert response.status_code == 200
    assert await till.money() == ("unpaid", 0, 0)


async def test_shared_webhook_speaks_for_the_account_that_it_names(lent, client, till):
    await till.pay("stripe")
    lent.pay(lent.session)

    async def send(**fields):
        body, headers = lent.sign_event("checkout.session.completed", lent.session, secret=OPERATOR_SECRET, **fields)
        response = await client.post("/api/v1/payments/webhooks/stripe", data=body, headers=headers)
        return response.status_code

    assert await send(account="acct_other") == 200
    assert await till.money() == ("unpaid", 0, 0)
    assert await send() == 200
    assert await till.money() == ("paid", 20, 0)
