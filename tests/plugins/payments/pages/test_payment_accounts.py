"""Payment accounts in the dashboard: connected, shown without secrets, and only by the owner."""

import pytest
from comanda_payments.services.accounts import terms
from comanda_payments.services.accounts.fees import Fee
from hosted_checkout import KEY, OPERATOR_KEY

PAGE = "/payment-accounts"


async def test_owner_connects_an_account_with_a_key(stripe_api, dashboard):
    new = await dashboard.get(f"{PAGE}/new?provider=stripe")
    assert "Secret key" in new

    sent = {"provider": "stripe", "credentials.secret_key": "sk_test_wrong"}
    refused = await dashboard.post(f"{PAGE}/new", sent, status=422)
    assert "Stripe does not know this key" in refused
    assert "sk_test_wrong" not in refused
    sent = {"provider": "stripe", "restaurant_id": "", "credentials.secret_key": KEY}
    assert await dashboard.post(f"{PAGE}/new", sent) == PAGE

    page = await dashboard.get(PAGE)
    for text in ("Stripe", "Takes payments", "TEST", "move no money", "acct_own", "All stores"):
        assert text in page
    assert KEY not in page


async def test_page_says_what_is_missing_and_what_is_charged(gateway, account, owner, store, dashboard):
    gateway.accounts["acct_own"] |= {
        "charges_enabled": False, "details_submitted": True,
        "requirements": {"errors": [{"reason": "The bank account was rejected."}]},
    }  # fmt: skip
    await terms.set_fee(owner.id, store.id, Fee(15_000, 10))

    assert await dashboard.post(f"{PAGE}/{account['id']}/check") == PAGE

    page = await dashboard.get(PAGE)
    for text in ("Takes no payments", "The bank account was rejected.", "1.5 %", "€0.10"):
        assert text in page


async def test_owner_completes_an_account_at_the_provider(stripe_api, dashboard, use_stripe_settings):
    use_stripe_settings(url=stripe_api.url, secret_key=OPERATOR_KEY, connect=True)

    sent = {"provider": "stripe", "restaurant_id": "", "credentials.secret_key": ""}
    page = await dashboard.post(f"{PAGE}/new", sent, status=200)

    [external_id] = stripe_api.accounts
    assert f"{stripe_api.url}/page/{external_id}" in page
    assert "Go on to Stripe" in page
    assert "Not complete" in await dashboard.get(PAGE)


async def test_lent_account_is_named(stripe_api, owner, dashboard, use_stripe_settings):
    use_stripe_settings(url=stripe_api.url, secret_key=OPERATOR_KEY)
    assert "operator of this platform" not in await dashboard.get(PAGE)

    await terms.set_loan(owner.id, lends_account=True)

    assert "operator of this platform" in await dashboard.get(PAGE)


async def test_key_is_replaced_and_account_disconnected(gateway, account, dashboard):
    gateway.keys["sk_test_rolled"] = "acct_own"
    path = f"{PAGE}/{account['id']}"
    assert "acct_own" in await dashboard.get(f"{path}/credentials")

    await dashboard.post(f"{path}/credentials", {"credentials.secret_key": "sk_test_rolled"})
    await dashboard.post(f"{path}/disconnect")

    assert "No payment account yet" in await dashboard.get(PAGE)


@pytest.mark.parametrize("provider", ["cash", "barter", ""])
async def test_unknown_provider_is_not_found(stripe_api, dashboard, provider):
    await dashboard.get(f"{PAGE}/new?provider={provider}", status=404)


@pytest.fixture
async def readers(store):
    """The page of the card readers of an account at the demo bank."""
    account = await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})
    return f"{PAGE}/{account['id']}/readers"


async def test_owner_registers_renames_and_removes_a_reader(readers, dashboard, store):
    assert readers in await dashboard.get(PAGE)
    assert "No card reader yet" in await dashboard.get(readers)

    refused = await dashboard.post(readers, {"name": "", "code": ""}, status=422)
    assert "No card reader yet" in refused
    await dashboard.post(readers, {"name": "<b>Bar", "code": ""})
    [reader] = (await store.send_to(f"/api/v1{readers}")).document
    page = await dashboard.get(readers)
    assert ("&lt;b&gt;Bar" in page, reader["url"] in page, "Online" in page) == (True, True, True)

    await dashboard.post(f"{readers}/{reader['reference']}/name", {"name": "Terrace"})
    assert "Terrace" in await dashboard.get(readers)
    await dashboard.post(f"{readers}/{reader['reference']}/remove")
    assert "No card reader yet" in await dashboard.get(readers)


async def test_reader_that_is_not_there_is_not_found(readers, dashboard, store):
    await dashboard.post(f"{readers}/nothing/name", {"name": "Terrace"}, status=404)
    reply = await store.send_to(f"/api/v1{readers}/nothing", "DELETE")
    assert reply.status == 404


async def test_page_shows_until_when_to_answer_a_dispute_and_its_end(gateway, account, till, dashboard, send_webhook):
    assert "No disputes" in await dashboard.get(f"{PAGE}/disputes")
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await send_webhook(gateway.session)

    await send_webhook(gateway.dispute(gateway.session), "charge.dispute.created")
    page = await dashboard.get(f"{PAGE}/disputes")
    for text in (
        "Needs a response",
        "fraudulent",
        "€20.00",
        "2030",
        f"test/payments/{gateway.session['payment_intent']}",
    ):
        assert text in page

    await send_webhook(gateway.dispute(gateway.session, "lost"), "charge.dispute.closed")
    page = await dashboard.get(f"{PAGE}/disputes")
    assert "Lost" in page
    assert "2030" not in page
