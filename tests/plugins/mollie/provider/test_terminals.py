"""Mollie's terminals, with Mollie's library in between, pass what all card readers have to pass."""

import pytest
from comanda.devkit.testing import CardReaderSuite
from comanda_mollie.provider.terminals import MANAGED_AT_MOLLIE, NOT_ACTIVE
from comanda_payments.services.accounts import terms

ACCOUNTS = "/api/v1/payment-accounts"


class TestTerminals(CardReaderSuite):
    pass


@pytest.fixture
async def account(connect):
    return (await connect()).document


async def test_payment_names_its_terminal(api, account, pay):
    reply = await pay(reader="term_bar")

    assert (reply["status"], reply["redirect_url"]) == ("pending", None)
    assert api.payment["_terminal"] == "term_bar"


async def test_terminal_is_managed_in_mollie(account, store):
    reply = await store.send_to(f"{ACCOUNTS}/{account['id']}/readers", "POST", {"name": "Bar", "code": "1"})

    assert (reply.status, reply["message"]) == (409, MANAGED_AT_MOLLIE)


async def test_terminals_of_another_profile_are_not_there(api, account, store, pay):
    api.add_terminal("term_other", "Elsewhere", "pfl_other")

    readers = (await store.send_to(f"{ACCOUNTS}/{account['id']}/readers")).document
    reply = await pay(reader="term_other")

    assert [each["reference"] for each in readers] == ["term_bar"]
    assert reply["status"] == "failed"
    assert api.payments == {}


async def test_terminal_that_is_not_active_says_so(api, account, pay):
    api.terminals["term_bar"]["status"] = "pending"

    reply = await pay(reader="term_bar")

    assert (reply["status"], reply["failure"]) == ("failed", NOT_ACTIVE)


async def test_more_terminals_than_a_page_are_listed(api, account, store):
    api.page_size = 2
    for number in range(4):
        api.add_terminal(f"term_{number}", f"Table {number}", "pfl_own")

    readers = (await store.send_to(f"{ACCOUNTS}/{account['id']}/readers")).document

    assert len(readers) == 5


async def test_webhook_books_a_payment_on_a_terminal_once(api, account, pay, send, published):
    await pay(reader="term_bar")
    api.pay(api.payment)

    assert [await send(account) for _ in range(2)] == [200, 200]

    assert [name for name, _ in await published() if name == "order.paid"] == ["order.paid"]


async def test_lent_account_takes_no_payment_on_terminals(api, operator, owner, pay):
    await terms.set_loan(owner.id, lends_account=True)

    reply = await pay(reader="term_bar")

    assert (reply.status, list(reply.errors)) == (422, ["method"])
    assert api.payments == {}
