"""Gift cards that a store's page sells."""

from uuid import uuid4

import pytest
from comanda.devkit.testing.payment_providers import reconcile
from comanda.platform.db import sql


async def test_card_is_issued_once_it_is_paid(payer, selling, clock, till):
    url = (await payer.buy(50))["url"]
    assert (await payer.store.get("/gift-cards"))["total"] == 0

    await payer.bank.pay(url)
    await reconcile(clock)
    await reconcile(clock)

    [card] = (await payer.store.get("/gift-cards"))["data"]
    [purchase] = await payer.list()
    end_of_life = f"{int(card['issued_at'][:4]) + 4}-01-01"
    assert (card["balance"], card["currency"], card["expires_at"][:10]) == (50, "EUR", end_of_life)
    assert (purchase["status"], purchase["gift_card_id"]) == ("paid", card["id"])
    assert (await till.pay("cash")).status == 201
    assert (await till.money())[1] == 20


async def test_same_form_sent_again_buys_once(payer, selling):
    key = str(uuid4())

    first, again = await payer.buy(key=key), await payer.buy(key=key)

    assert first["url"] == again["url"]
    assert len(await payer.list()) == 1


@pytest.mark.parametrize("amount", [0, 9.99, 200.01, 10.001, 1e10])
async def test_amount_outside_the_limits_is_refused(payer, selling, amount):
    reply = await payer.buy(amount)

    assert reply.status == 422, reply
    assert list(reply.errors) == ["amount"]
    assert await payer.list() == []


async def test_store_that_sells_none_is_not_there(payer):
    assert (await payer.buy()).status == 404


async def test_store_without_an_account_sells_nothing(payer, selling, demo_account):
    await payer.store.send_to(f"/api/v1/payment-accounts/{demo_account['id']}", "DELETE")

    reply = await payer.buy()

    assert (reply.status, reply["reason"]) == (409, "no_online_payment")
    assert await sql.fetch_value("SELECT count(*) FROM payments_prepayment WHERE store_id = $1", payer.store.id) == 0
