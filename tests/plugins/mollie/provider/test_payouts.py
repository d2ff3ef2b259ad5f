"""Settlements of Mollie: what every provider with payouts has to pass, their costs, and who may read them."""

import pytest
from comanda.devkit.testing import PayoutSuite
from comanda.platform import plugin_calls
from mollie_api import ORGANIZATION_TOKEN

ACCOUNTS = "/api/v1/payment-accounts"
PAYOUTS = "/api/v1/payouts"


class TestPayouts(PayoutSuite):
    pass


@pytest.fixture
async def account(connect):
    return (await connect(organization_token=ORGANIZATION_TOKEN)).document


@pytest.fixture
async def paid(api, account, pay, send):
    """A payment of 10.00 that was made."""
    await pay()
    api.pay(api.payment)
    assert await send(account) == 200
    return api.payment


@pytest.fixture
def check(store, account):
    """Check the account, and return the only payout of the owner with its sums, and its parts."""

    async def read():
        assert (await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")).status == 200
        [payout] = (await store.send_to(PAYOUTS))["data"]
        found = await store.send_to(f"{PAYOUTS}/{payout['id']}")
        return found.document, (await store.send_to(f"{PAYOUTS}/{payout['id']}/parts"))["data"]

    return read


async def test_costs_are_parts_of_their_own(api, paid, check):
    api.settle("pfl_own", [("iDEAL", "0.35"), ("Cards", "0.10")])

    found, parts = await check()

    sums = {each["kind"]: (each["count"], each["net"]) for each in found["sums"]}
    assert sums == {"payment": (1, 10), "fee": (2, -0.45)}
    assert (found["amount"], found["unexplained"]) == (9.55, 0)
    assert {each["description"] for each in parts if each["kind"] == "fee"} == {"iDEAL", "Cards"}


async def test_chargeback_is_a_part_of_the_order(api, account, paid, send, check):
    api.charge_back(paid)
    assert await send(account) == 200
    api.settle("pfl_own")

    found, parts = await check()

    assert (found["amount"], found["unexplained"]) == (0, 0)
    assert sorted((each["kind"], each["net"], each["order_number"]) for each in parts) == [
        ("dispute", -10, 1), ("payment", 10, 1),
    ]  # fmt: skip


@pytest.mark.parametrize("sign", ["", "-"])
async def test_amounts_that_go_back_are_negative_however_mollie_writes_them(api, paid, check, sign):
    refund = api.refund(paid, "4.00")
    refund["settlementAmount"] = {"currency": "EUR", "value": f"{sign}4.00"}
    api.settle("pfl_own")

    found, parts = await check()

    assert {each["kind"]: each["net"] for each in parts} == {"payment": 10, "refund": -4}
    assert (found["amount"], found["unexplained"]) == (6, 0)


async def test_other_payments_of_the_profile_have_no_order(api, paid, check):
    body = {"amount": paid["amount"], "description": "Another shop", "redirectUrl": "", "metadata": None}
    api.page_size = 2
    for _ in range(5):
        api.pay(api.create_payment(body, "pfl_own"))
    api.settle("pfl_own")

    found, parts = await check()

    assert (found["amount"], found["unexplained"], len(parts)) == (60, 0, 6)
    assert sorted(each["order_number"] or 0 for each in parts) == [0, 0, 0, 0, 0, 1]


async def test_settlement_that_is_still_open_is_none(api, account, paid, check, store):
    settlement = api.settle("pfl_own")
    settlement |= {"status": "open", "settledAt": None}
    await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")
    assert (await store.send_to(PAYOUTS))["data"] == []

    settlement |= {"status": "paidout", "settledAt": settlement["createdAt"]}

    found, _ = await check()
    assert found["state"] == "paid"


async def test_account_without_a_token_has_no_payouts(api, connect, store):
    account = (await connect()).document
    api.asked.clear()

    assert (await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")).status == 200

    assert not [each for each in api.asked if "settlements" in each]


async def test_token_that_was_revoked_is_no_failure_of_the_plugin(api, account, paid, store, monkeypatch):
    api.settle("pfl_own")
    api.organizations.clear()
    failures = []
    monkeypatch.setattr(plugin_calls, "record_failure", lambda *arguments: failures.append(arguments))

    reply = await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")

    assert (reply.status, reply["state"], failures) == (200, "ready", [])
    assert (await store.send_to(PAYOUTS))["data"] == []
