"""Stripe passes what every provider has to pass, and withholds fees of connected accounts."""

from comanda.devkit.testing import PaymentProviderSuite
from comanda_payments.services.accounts import terms
from comanda_payments.services.accounts.fees import Fee


class TestStripe(PaymentProviderSuite):
    pass


async def test_payment_is_made_on_the_account_with_the_fee(api, completed, owner, store, order, pay, shared_webhook):
    await terms.set_fee(owner.id, store.id, Fee(20_000))

    payment = await pay()

    session = api.session
    assert (session["_account"], session["_fee"], payment["fee"]) == (completed["external_id"], 20, 0.2)
    api.pay(session)
    for account in ({}, {"account": "acct_other"}):
        assert await shared_webhook("checkout.session.completed", session, **account) == 200
        assert (await store.get(f"/orders/{order['id']}"))["payment_status"] == "unpaid"
    assert (
        await shared_webhook("checkout.session.completed", session, secret="guess", account=session["_account"]) == 401
    )
    assert await shared_webhook("checkout.session.completed", session, account=session["_account"]) == 200
    assert (await store.get(f"/orders/{order['id']}"))["payment_status"] == "paid"
