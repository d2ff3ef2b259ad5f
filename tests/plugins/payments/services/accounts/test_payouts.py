"""Payouts: whose they are, what happens when the provider does not answer, and how much of them is kept."""

import pytest
from comanda_payments.services.accounts import payouts
from hosted_checkout import KEY


@pytest.fixture
def ask_payouts(store):
    """List the owner's payouts."""

    async def ask(of=store):
        return (await of.send_to("/api/v1/payouts"))["data"]

    return ask


@pytest.fixture
def ask_parts(store):
    async def ask(payout, of=store):
        return (await of.send_to(f"/api/v1/payouts/{payout['id']}/parts"))["data"]

    return ask


@pytest.fixture
async def paid(gateway, account, till, send_webhook):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await send_webhook(gateway.session)


async def test_check_goes_on_where_the_provider_did_not_answer(gateway, account, paid, ask, ask_payouts, ask_parts):
    gateway.pay_out("acct_own")
    gateway.failing = ("balance_transactions",)
    await ask(f"/{account['id']}/check", "POST")
    [payout] = await ask_payouts()
    assert (payout["amount"], payout["has_parts"]) == (19.45, False)

    gateway.failing = ("payouts",)
    await ask(f"/{account['id']}/check", "POST")
    assert [each["has_parts"] for each in await ask_payouts()] == [False]
    gateway.failing = ()
    await ask(f"/{account['id']}/check", "POST")

    [payout] = await ask_payouts()
    assert (payout["has_parts"], len(await ask_parts(payout))) == (True, 1)


async def test_account_that_is_connected_again_has_its_payouts_once(
    gateway, account, paid, ask, ask_payouts, ask_parts, order
):
    payout = gateway.pay_out("acct_own")
    await ask(f"/{account['id']}/check", "POST")
    await ask(f"/{account['id']}", "DELETE")
    again = await ask("", "POST", {"provider": "stripe", "credentials": {"secret_key": KEY}})
    payout["status"] = "paid"

    await ask(f"/{again['id']}/check", "POST")

    [found] = await ask_payouts()
    assert (found["account_id"], found["state"]) == (account["id"], "paid")
    assert [each["order_id"] for each in await ask_parts(found)] == [order["id"]]


async def test_webhook_of_another_owner_shows_none_of_the_orders(
    gateway, paid, other_store, ask, send_webhook, ask_payouts, ask_parts
):
    payout = gateway.pay_out("acct_own")
    body = {"provider": "stripe", "credentials": {"secret_key": KEY}}
    other = await ask("", "POST", body, of=other_store)

    response = await send_webhook(payout, "payout.paid", url=other["webhook_url"])

    assert response.status_code == 200
    assert await ask_payouts() == []
    [theirs] = await ask_payouts(other_store)
    [part] = await ask_parts(theirs, other_store)
    assert (part["amount"], part["order_id"], part["payment_id"]) == (20, None, None)


async def test_payout_has_a_bounded_number_of_parts(gateway, account, paid, ask, ask_payouts, ask_parts, monkeypatch):
    for number in range(4):
        gateway.add_transaction("stripe_fee", None, f"txn_{number}", -1)["_payout"] = "po_1"
    gateway.pay_out("acct_own")
    monkeypatch.setattr(payouts, "MAX_PARTS", 3)

    await ask(f"/{account['id']}/check", "POST")

    [payout] = await ask_payouts()
    assert len(await ask_parts(payout)) == 3


async def test_texts_of_the_provider_fit(gateway, account, ask, ask_payouts, ask_parts):
    made = gateway.add_transaction("stripe_fee", None, "txn_1", -1)
    made |= {"_payout": "po_1", "description": "x" * 1000}
    gateway.pay_out("acct_own").update(status="failed", failure_message="y" * 1000, amount=-1)

    await ask(f"/{account['id']}/check", "POST")

    [payout] = await ask_payouts()
    assert (payout["amount"], payout["failure"]) == (-0.01, "y" * 500)
    assert [each["description"] for each in await ask_parts(payout)] == ["x" * 255]


async def test_payment_that_is_booked_after_its_payout_is_found(
    gateway, account, till, order, ask, send_webhook, ask_payouts, ask_parts
):
    await till.pay("stripe")
    gateway.pay(gateway.session)
    gateway.pay_out("acct_own")
    await ask(f"/{account['id']}/check", "POST")
    [payout] = await ask_payouts()
    assert [each["order_id"] for each in await ask_parts(payout)] == [None]

    await send_webhook(gateway.session)

    assert [each["order_id"] for each in await ask_parts(payout)] == [order["id"]]
