"""Mollie passes what every provider has to pass; what is sent to it, and what it alone does."""

from dataclasses import replace
from datetime import timedelta

import pytest
from comanda.basics import clock as clock_module
from comanda.contracts import AccountMode, AccountState, ChargeRequest, PaymentAccount
from comanda.devkit.testing import PaymentProviderSuite
from comanda_mollie.provider.checkout import TOO_LATE, MollieProvider
from comanda_payments.services.accounts import terms
from mollie_api import KEY


class TestMollie(PaymentProviderSuite):
    pass


@pytest.fixture
async def account(connect):
    return (await connect()).document


@pytest.fixture
def create_account():
    """Return an account whose webhooks arrive at a site."""

    def create(site):
        return PaymentAccount(
            "mollie", 1, None, 1, AccountMode.TEST, AccountState.READY, frozenset(), f"{site}/webhooks/1-1",
            credentials={"api_key": KEY},
        )  # fmt: skip

    return create


@pytest.fixture
def charge():
    return ChargeRequest(
        key="payment-1-1", store_id=1, amount_minor=1000, fee_minor=0, currency="EUR", description="Order 1",
        return_url="https://site.example/back", expires_at=clock_module.now() + timedelta(hours=1),
    )  # fmt: skip


@pytest.fixture
def get_payment(store, order):
    """Return the only payment of the order."""

    async def get():
        [payment] = (await store.get(f"/orders/{order['id']}/payments"))["data"]
        return payment

    return get


@pytest.fixture
def cancel(store, order, get_payment):
    async def send():
        payment = await get_payment()
        return await store.send("POST", f"/orders/{order['id']}/payments/{payment['id']}/cancel")

    return send


async def test_payment_is_made_of_a_decimal_string(api, account, pay):
    reply = await pay(return_url="https://shop.example/thanks", tip=1.5)

    sent = api.payment
    assert (reply.status, reply["redirect_url"]) == (201, f"{api.url}/pay/{sent['id']}")
    assert (sent["amount"], sent["description"]) == ({"currency": "EUR", "value": "11.50"}, "Order 1")
    assert (sent["redirectUrl"], sent["webhookUrl"]) == ("https://shop.example/thanks", account["webhook_url"])
    assert sent["metadata"] == {"comanda_key": f"payment-{sent_owner(account)}-{reply['id']}"}


def sent_owner(account):
    return account["webhook_url"].rpartition("/")[2].partition("-")[0]


@pytest.mark.parametrize("site", ["http://localhost:8000", "http://192.168.0.7", "http://[::1]:80", "http://127.0.0.1"])
async def test_address_that_mollie_cannot_reach_is_left_out(api, create_account, charge, site):
    started = await MollieProvider().start(create_account(site), charge)

    assert (started.reference, api.payment["webhookUrl"]) == (api.payment["id"], None)


async def test_payment_of_a_database_that_was_created_anew_is_another(api, create_account, charge):
    """The ids of such a database begin again, and Mollie still remembers what they named within the hour."""
    account = create_account("https://site.example")
    later = replace(charge, expires_at=charge.expires_at + timedelta(seconds=1))

    references = [(await MollieProvider().start(account, each)).reference for each in (charge, charge, later)]

    first, second = api.payments
    assert references == [first, first, second]


async def test_payment_that_is_repeated_from_another_address_is_the_same(api, create_account, charge):
    """An operator may give the site another address while guests pay."""
    sites = [create_account(site) for site in ("https://old.example", "https://new.example")]

    references = [(await MollieProvider().start(site, charge)).reference for site in sites]

    assert references == [api.payment["id"]] * 2


async def test_currency_without_decimals_has_none(api, create_account, charge):
    yen = replace(charge, currency="JPY")
    reference = (await MollieProvider().start(create_account("https://site.example"), yen)).reference
    api.pay(api.payment)

    outcome = await MollieProvider().check(create_account("https://site.example"), reference)

    assert (api.payment["amount"], outcome.amount_minor) == ({"currency": "JPY", "value": "1000"}, 1000)


async def test_payment_that_mollie_does_not_cancel_stays_pending(api, account, pay, send, cancel, get_payment):
    api.is_cancelable = False
    await pay()

    reply = await cancel()

    assert (reply.status, reply["reason"]) == (409, "pending")
    assert (await get_payment())["status"] == "pending"
    api.pay(api.payment)
    assert await send(account) == 200
    assert (await get_payment())["status"] == "succeeded"


async def test_lost_start_is_found_after_its_key_was_forgotten(api, account, pay, clock, run_task, get_payment):
    api.lose = 1
    assert (await pay())["redirect_url"] is None
    lost = api.payment
    for number in range(600):  # other payments of a busy profile, and several pages of them
        api.create_payment({**lost, "description": str(number), "metadata": None}, "pfl_own")

    clock.advance(minutes=90)
    await run_task("payments_reconcile")
    api.pay(lost)
    clock.advance(hours=1)
    await run_task("payments_reconcile")

    assert (await get_payment())["status"] == "succeeded"
    assert len(api.payments) == 601


async def test_start_that_never_reached_mollie_ends(api, account, pay, clock, run_task, get_payment):
    api.refuse = 503
    assert (await pay())["status"] == "pending"
    api.refuse = 0

    clock.advance(hours=3)
    await run_task("payments_reconcile")

    payment = await get_payment()
    assert (payment["status"], payment["failure"]) == ("failed", TOO_LATE)
    assert api.payments == {}


async def test_refusal_is_final_in_mollies_words(api, account, pay, get_payment):
    api.refuse = 422

    assert (await pay())["status"] == "failed"

    assert (await get_payment())["failure"] == "Not today."


async def test_decline_says_why(api, account, pay, send, get_payment):
    await pay()
    api.decline(api.payment)

    assert await send(account) == 200

    assert (await get_payment())["failure"] == "The card has not enough funds."


async def test_lent_account_is_the_operators(api, operator, owner, pay):
    assert (await pay()).status == 422
    await terms.set_loan(owner.id, lends_account=True)

    assert (await pay()).status == 201

    assert api.payment["_profile"] == "pfl_operator"
