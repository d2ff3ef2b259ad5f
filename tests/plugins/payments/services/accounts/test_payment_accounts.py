"""The account of a payment: the store's, else the owner's, else the operator's if it is lent."""

from comanda_payments.services.accounts import terms
from hosted_checkout import OPERATOR_KEY


async def test_payment_goes_to_the_account_of_its_store(gateway, account, ask, store, till, till_of, new_order):
    gateway.keys["sk_test_store"] = "acct_store"
    body = {"provider": "stripe", "restaurant_id": store.id, "credentials": {"secret_key": "sk_test_store"}}
    of_store = await ask("", "POST", body)

    payment = await till.pay("stripe")

    assert payment["payment_account_id"] == of_store["id"]
    assert gateway.session["_account"] == "acct_store"


async def test_account_of_operator_is_not_used_unless_lent(stripe_api, owner, till, use_stripe_settings):
    use_stripe_settings(url=stripe_api.url, secret_key=OPERATOR_KEY)
    assert "stripe" not in (await till.pay("stripe")).errors["method"][0]

    await terms.set_loan(owner.id, lends_account=True)
    payment = await till.pay("stripe")
    assert (payment["status"], payment["payment_account_id"]) == ("pending", None)
    assert stripe_api.session["_account"] == "acct_operator"

    await terms.set_loan(owner.id, lends_account=False)
    stripe_api.pay(stripe_api.session)
    cancelled = await till.store.send("POST", f"{till.path}/payments/{payment['id']}/cancel")
    assert cancelled["reason"] == "succeeded"
    assert (await till.refund())["status"] == "completed"


async def test_own_account_comes_before_the_lent_one(lent, account, till):
    assert (await till.pay("stripe"))["payment_account_id"] == account["id"]
