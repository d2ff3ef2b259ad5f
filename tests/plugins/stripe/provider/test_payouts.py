"""Payouts of Stripe: what every provider with payouts has to pass, their states and parts, and whose they are."""

from datetime import date

import pytest
from comanda.devkit.testing import PayoutSuite
from comanda.platform import plugin_calls
from comanda_stripe.provider.payouts import to_payout_report

PAYOUTS = "/api/v1/payouts"


class TestPayouts(PayoutSuite):
    pass


@pytest.fixture
def read(store):
    """Return the only payout of the owner with its sums, and its parts."""

    async def get():
        [payout] = (await store.send_to(PAYOUTS))["data"]
        found = await store.send_to(f"{PAYOUTS}/{payout['id']}")
        return found.document, (await store.send_to(f"{PAYOUTS}/{payout['id']}/parts"))["data"]

    return get


@pytest.fixture
async def paid(api, completed, pay, shared_webhook):
    """A payment of 10.00 to an account that is connected to the operator's."""
    await pay()
    api.pay(api.session)
    account = completed["external_id"]
    assert await shared_webhook("checkout.session.completed", api.session, account=account) == 200
    return account


@pytest.mark.parametrize(
    ("status", "state", "failure"),
    [("pending", "in_transit", None), ("in_transit", "in_transit", None), ("paid", "paid", None),
     ("failed", "failed", "No account."), ("canceled", "failed", "No account."), ("a_new_one", "in_transit", None)],
)  # fmt: skip
def test_status_of_a_payout(status, state, failure):
    payout = {"id": "po_1", "amount": -500, "currency": "jpy", "status": status, "arrival_date": 1_773_532_800}
    report = to_payout_report({**payout, "failure_message": "No account."})

    assert (report.reference, report.state, report.failure) == ("po_1", state, failure)
    assert (report.amount_minor, report.currency, report.arrives_on) == (-500, "JPY", date(2026, 3, 15))


def test_payout_without_a_reason_names_its_status():
    payout = {"id": "po_1", "amount": 500, "currency": "eur", "status": "canceled"}

    assert (to_payout_report(payout).failure, to_payout_report(payout).arrives_on) == ("canceled", None)


async def test_shared_webhook_records_payouts_of_the_account_that_it_names(api, paid, store, shared_webhook, read):
    payout = api.pay_out(paid)

    for options in ({}, {"account": "acct_other"}):
        assert await shared_webhook("payout.paid", {**payout, "status": "paid"}, **options) == 200
    assert (await store.send_to(PAYOUTS))["data"] == []
    assert await shared_webhook("payout.paid", {**payout, "status": "paid"}, account=paid) == 200

    found, [part] = await read()
    assert (found["state"], found["amount"], found["unexplained"]) == ("paid", 9.45, 0)
    assert (part["amount"], part["fee"], part["net"], part["order_number"]) == (10, 0.55, 9.45, 1)


async def test_parts_wait_until_stripe_knows_them(api, paid, shared_webhook, read):
    payout = api.pay_out(paid)
    payout["reconciliation_status"] = "in_progress"
    await shared_webhook("payout.created", payout, account=paid)
    found, parts = await read()
    assert (found["has_parts"], found["unexplained"], parts) == (False, 9.45, [])

    payout["reconciliation_status"] = "completed"
    await shared_webhook("payout.reconciliation_completed", payout, account=paid)

    found, parts = await read()
    assert (found["has_parts"], found["unexplained"], len(parts)) == (True, 0, 1)


async def test_payout_made_by_hand_has_no_parts(api, paid, shared_webhook, read):
    payout = api.pay_out(paid)
    payout |= {"automatic": False, "reconciliation_status": "not_applicable"}

    await shared_webhook("payout.created", payout, account=paid)

    found, parts = await read()
    assert (found["has_parts"], found["unexplained"], parts) == (True, 9.45, [])


async def test_dispute_and_what_is_not_of_orders_are_parts(api, completed, paid, shared_webhook, read):
    api.dispute(api.session, "lost")
    api.add_transaction("stripe_fee", "fee_1", "txn_fee", -200)["_payout"] = "po_1"
    api.add_transaction("reserve_hold", None, "txn_hold", -100)["_payout"] = "po_1"
    api.add_transaction("charge", {"object": "charge", "payment_intent": "pi_elsewhere"}, "txn_else", 5000)
    api.transactions["txn_else"] |= {"_payout": "po_1", "description": "Another shop"}
    payout = api.pay_out(paid)
    payout["amount"] += 5000 - 300

    await shared_webhook("payout.created", payout, account=paid)

    found, parts = await read()
    sums = {each["kind"]: (each["count"], each["amount"], each["fee"], each["net"]) for each in found["sums"]}
    assert sums == {
        "payment": (2, 60, 0.55, 59.45), "dispute": (1, -10, 15, -25), "fee": (1, -2, 0, -2), "other": (1, -1, 0, -1),
    }  # fmt: skip
    assert (found["amount"], found["unexplained"]) == (31.45, 0)
    orders = {each["reference"]: each["order_number"] for each in parts}
    assert (orders["txn_else"], orders["txn_fee"], orders["txn_du_pi_cs_1"], orders["txn_cs_1"]) == (None, None, 1, 1)


async def test_key_that_may_not_read_payouts_is_no_failure_of_the_plugin(api, provider_fake, store, monkeypatch):
    body = {"provider": "stripe", "credentials": provider_fake.credentials}
    account = (await store.send_to("/api/v1/payment-accounts", "POST", body)).document
    api.failing, api.failing_status = ("payouts",), 403
    failures = []
    monkeypatch.setattr(plugin_calls, "record_failure", lambda *arguments: failures.append(arguments))

    reply = await store.send_to(f"/api/v1/payment-accounts/{account['id']}/check", "POST")

    assert (reply.status, reply["state"], failures) == (200, "ready", [])
    assert (await store.send_to(PAYOUTS))["data"] == []


async def test_webhook_without_a_payout_is_refused(operator, shared_webhook):
    payout = {"id": "po_1", "amount": 5, "currency": "eur", "status": "paid"}
    for name, nonsense in (("id", 5), ("id", ""), ("amount", "many"), ("amount", 10**15), ("currency", "moon")):
        assert await shared_webhook("payout.paid", {**payout, name: nonsense}) == 400
    assert await shared_webhook("payout.paid", {}) == 400
