"""Chargebacks at Mollie: what every provider with disputes has to pass, and what is known of one."""

from datetime import timedelta

import pytest
from comanda.basics import clock
from comanda.devkit.testing import DisputeSuite

ACCOUNTS = "/api/v1/payment-accounts"
DISPUTES = "/api/v1/payment-disputes"


class TestDisputes(DisputeSuite):
    pass


@pytest.fixture
async def account(connect):
    return (await connect()).document


@pytest.fixture
async def paid(api, account, pay, send):
    await pay()
    api.pay(api.payment)
    assert await send(account) == 200
    return api.payment


async def test_chargeback_has_taken_the_money(api, account, paid, send, store, order):
    api.charge_back(paid)

    assert await send(account) == 200

    [dispute] = (await store.send_to(DISPUTES))["data"]
    assert (dispute["state"], dispute["amount"], dispute["reason"]) == ("lost", 10, "Account incorrect")
    assert (dispute["respond_by"], dispute["url"]) == (None, "https://my.mollie.com/dashboard")
    assert (await store.get(f"/orders/{order['id']}"))["refunded_total"] == 10


async def test_chargeback_without_a_reason_is_one(api, account, paid, send, store):
    api.charge_back(paid)["reason"] = None

    assert await send(account) == 200

    assert [each["reason"] for each in (await store.send_to(DISPUTES))["data"]] == [None]


async def test_check_reads_all_pages_and_nothing_older(api, account, paid, store):
    """The check asks for half a year, of which a profile may have more chargebacks than a page."""
    body = {"amount": paid["amount"], "description": "", "redirectUrl": "", "metadata": None}
    api.page_size = 2
    old = api.charge_back(api.create_payment(body, "pfl_own"))
    old["createdAt"] = (clock.now() - timedelta(days=200)).isoformat()
    for _ in range(3):
        api.charge_back(api.create_payment(body, "pfl_own"))
    api.charge_back(paid)
    for _ in range(4):
        api.charge_back(api.create_payment(body, "pfl_own"))
    api.asked.clear()

    assert (await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")).status == 200

    assert [each["state"] for each in (await store.send_to(DISPUTES))["data"]] == ["lost"]
    assert api.asked.count("GET /v2/chargebacks") == 5  # nine of them by two; what is older ends the last
