"""Webhooks of Mollie: anybody may send one, and what it says counts for nothing but a question to Mollie."""

import asyncio

import pytest
from comanda.devkit.testing import TestStore
from comanda_payments.services.accounts import terms
from mollie_api import KEY

PATH = "/api/v1/payments/webhooks/mollie"


@pytest.fixture
async def account(connect):
    return (await connect()).document


@pytest.fixture
async def thief(client, api, other_owner):
    """Another owner, with an account at Mollie."""
    api.keys["test_thief"] = "pfl_thief"
    store = TestStore(client, other_owner, await other_owner.store())
    body = {"provider": "mollie", "credentials": {"api_key": "test_thief"}}
    store.account = (await store.send_to("/api/v1/payment-accounts", "POST", body)).document
    return store


@pytest.fixture
def get_status(store, order):
    async def get():
        return (await store.get(f"/orders/{order['id']}"))["payment_status"]

    return get


@pytest.mark.parametrize(
    "body",
    [b"", b"id", b"id=", b"id=tr_", b"id=tr_1%00", b"id=tr_1/../x", b"id=tr_1&id=tr_2", b"\xff", b"{}", b"id=ord_1",
     b"id=tr_" + b"1" * 600, b"&".join(b"a%d=1" % number for number in range(50)) + b"&id=tr_1",
     "id=tr_é".encode()],
)  # fmt: skip
async def test_nonsense_asks_mollie_nothing(client, api, account, body):
    api.asked.clear()

    response = await client.post(account["webhook_url"].removeprefix("http://comanda.test"), data=body)

    assert response.status_code == 400
    assert api.asked == []


async def test_unknown_payment_costs_one_question(api, account, send):
    api.asked.clear()

    assert await send(account, "tr_unknown") == 200

    assert api.asked == ["GET /v2/payments/tr_unknown"]


@pytest.mark.parametrize("path", ["/1-999999", "/x", ""])
async def test_webhook_of_no_account_is_not_found(client, api, account, path):
    api.asked.clear()

    response = await client.post(f"{PATH}{path}", data=b"id=tr_1")

    assert response.status_code == 404
    assert api.asked == []


async def test_claim_that_a_payment_was_made_counts_for_nothing(api, account, pay, send, get_status):
    await pay()

    assert await send(account, extra="&status=paid&amount=10.00") == 200

    assert await get_status() == "unpaid"


async def test_payment_of_another_account_is_not_found_there(api, account, thief, pay, send, get_status):
    await pay()
    api.pay(api.payment)

    assert await send(thief.account) == 200

    assert await get_status() == "unpaid"
    assert await send(account) == 200
    assert await get_status() == "paid"


@pytest.mark.parametrize("is_lost", [False, True])
async def test_payment_of_a_thief_with_the_key_of_another_books_nothing(
    api, account, thief, pay, send, get_status, is_lost
):
    """An owner may create payments at Mollie that name the key of somebody else's, even of one that has no name yet."""
    api.lose = int(is_lost)
    await pay()
    stolen = {**api.payment["metadata"]}
    forged = api.create_payment(
        {"amount": {"currency": "EUR", "value": "10.00"}, "description": "", "redirectUrl": "", "metadata": stolen},
        "pfl_thief",
    )
    api.pay(forged)

    for each in (account, thief.account):
        assert await send(each, forged["id"]) == 200

    assert await get_status() == "unpaid"


async def test_other_payment_of_the_same_account_books_nothing(api, account, pay, send, get_status):
    await pay()
    body = {"amount": {"currency": "EUR", "value": "0.01"}, "description": "", "redirectUrl": ""}
    for metadata in (api.payment["metadata"], None, "text", ["a"], {"comanda_key": 5}):
        cheap = api.create_payment({**body, "metadata": metadata}, "pfl_own")
        api.pay(cheap)
        assert await send(account, cheap["id"]) == 200

    assert await get_status() == "unpaid"


async def test_replays_and_late_webhooks_change_nothing(api, account, pay, send, get_status, published):
    await pay()
    api.pay(api.payment)

    await asyncio.gather(*(send(account) for _ in range(8)))
    api.payment["status"] = "expired"  # which Mollie never says after it was paid
    assert await send(account) == 200

    assert await get_status() == "paid"
    assert [name for name, _ in await published() if name == "order.paid"] == ["order.paid"]


async def test_mollie_that_does_not_answer_is_asked_again(api, account, pay, send, get_status):
    await pay()
    api.pay(api.payment)
    api.refuse = 503
    assert await send(account) == 503
    api.refuse = 0
    api.lose = 1
    assert await send(account) == 503

    assert await send(account) == 200
    assert await get_status() == "paid"


async def test_key_that_was_revoked_is_no_reason_to_repeat(api, account, pay, send, get_status):
    await pay()
    api.pay(api.payment)
    del api.keys[KEY]

    assert await send(account) == 200

    assert await get_status() == "unpaid"


async def test_shared_address_is_for_the_lent_account_alone(api, operator, owner, account, pay, send, get_status):
    await pay()
    api.pay(api.payment)
    assert await send({"webhook_url": f"http://comanda.test{PATH}"}) == 200
    assert await get_status() == "unpaid"

    assert await send(account) == 200
    assert await get_status() == "paid"


async def test_webhook_books_a_payment_of_the_lent_account(api, operator, owner, pay, send, get_status):
    await terms.set_loan(owner.id, lends_account=True)
    assert (await pay()).status == 201
    assert (api.payment["_profile"], api.payment["webhookUrl"]) == ("pfl_operator", f"http://comanda.test{PATH}")
    api.pay(api.payment)

    assert await send({"webhook_url": f"http://comanda.test{PATH}"}) == 200

    assert await get_status() == "paid"
