"""Customers pay their own orders from an app: online, with a card, with their credit."""

import asyncio

import pytest


@pytest.fixture
async def mine(customer, of_customer):
    return await of_customer(customer)


@pytest.fixture
async def ada(customer, app_of):
    return await app_of(customer)


async def test_a_customer_pays_with_a_card_and_the_rest_with_credit(store, customer, mine, ada, card, till_of):
    await store.send("POST", f"/store-credit/{customer.id}/entries", {"amount": 30, "note": "x"})
    path = f"/orders/{mine['id']}/payments"

    first = await ada("POST", path, {"method": "gift_card", "code": card["code"], "amount": 15})
    second = await ada("POST", path, {"method": "store_credit"})

    assert (first.status, first["left"], second["payment_status"]) == (201, 5, "paid")
    assert await till_of(mine).money() == ("paid", 20, 0)
    listed = await ada("GET", path)
    assert [payment["id"] for payment in listed["data"]] == [second["id"], first["id"]]


async def test_a_customer_pays_online(gateway, mine, ada):
    body = {"method": "gateway", "return_url": "https://shop.example/thanks"}

    reply = await ada("POST", f"/orders/{mine['id']}/payments", body)

    assert (reply.status, reply["status"], reply["redirect_url"]) == (201, "pending", f"{gateway.url}/pay/cs_1")
    assert gateway.session["success_url"] == "https://shop.example/thanks"


async def test_a_repeated_key_pays_once_and_is_not_the_stores(mine, ada, card, till_of):
    path, body = f"/orders/{mine['id']}/payments", {"method": "gift_card", "code": card["code"], "amount": 5}
    at_the_till = await till_of(mine).pay("card_external", 1, key="k")

    replies = await asyncio.gather(*(ada("POST", path, body, Idempotency_Key="k") for _ in range(5)))

    (payment_id,) = {reply["id"] for reply in replies}
    assert payment_id != at_the_till["id"]
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 4
    assert await till_of(mine).money() == ("partially_paid", 6, 0)


@pytest.mark.parametrize("method", ["cash", "card_external", "gateway", "barter"])
async def test_nobody_books_cash_for_themselves(mine, ada, till_of, method):
    reply = await ada("POST", f"/orders/{mine['id']}/payments", {"method": method})

    assert reply.errors == {"method": ["Must be one of: gift_card, store_credit."]}
    assert await till_of(mine).payments() == []


async def test_another_customers_order_looks_missing_and_stays_unpaid(mine, new_customer, app_of, card, till_of):
    bo = await app_of(await new_customer("Bo"))
    body = {"method": "gift_card", "code": card["code"]}

    for reply in (
        await bo("POST", f"/orders/{mine['id']}/payments", body),
        await bo("POST", f"/orders/{mine['id']}/payments", {"amount": "nonsense"}),
        await bo("GET", f"/orders/{mine['id']}/payments"),
    ):
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert await till_of(mine).payments() == []


async def test_a_customer_who_changes_their_mind_pays_in_another_way(gateway, mine, ada, card, till_of):
    path, rest = f"/orders/{mine['id']}/payments", {"method": "gift_card", "code": card["code"], "amount": 15}
    online = await ada("POST", path, {"method": "gateway"})
    assert (await ada("POST", path, rest))["reason"] == "pending"

    assert (await ada("POST", f"{path}/{online['id']}/cancel"))["status"] == "cancelled"

    assert gateway.session["status"] == "expired"
    assert (await ada("POST", path, rest)).status == 201
    assert await till_of(mine).money() == ("partially_paid", 15, 0)


async def test_codes_are_tried_so_often_a_minute_and_not_more(mine, ada, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.customer_payments.MAX_CODES_PER_MINUTE", 2)
    body = {"method": "gift_card", "code": "AAAABBBBCCCCDDDD"}

    replies = [await ada("POST", f"/orders/{mine['id']}/payments", body) for _ in range(4)]

    assert replies[-1].status == 429
