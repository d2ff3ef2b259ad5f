"""Customers pay their own orders: online, by gift card, with store credit."""

import asyncio


async def test_customer_pays_with_card_and_credit(store, customer, own_order, ada, card, till_of):
    await store.send("POST", f"/store-credit/{customer.id}/entries", {"amount": 30, "note": "x"})
    path = f"/orders/{own_order['id']}/payments"

    first = await ada("POST", path, {"method": "gift_card", "code": card["code"], "amount": 15})
    second = await ada("POST", path, {"method": "store_credit"})

    assert (first.status, first["left"], second["payment_status"]) == (201, 5, "paid")
    assert await till_of(own_order).money() == ("paid", 20, 0)
    listed = await ada("GET", path)
    assert [payment["id"] for payment in listed["data"]] == [second["id"], first["id"]]


async def test_customer_pays_online(gateway, own_order, ada):
    body = {"method": "stripe", "return_url": "https://shop.example/thanks"}

    reply = await ada("POST", f"/orders/{own_order['id']}/payments", body)

    assert (reply.status, reply["status"], reply["redirect_url"]) == (201, "pending", f"{gateway.url}/pay/cs_1")
    assert gateway.session["success_url"] == "https://shop.example/thanks"


async def test_keys_are_scoped_to_kind_of_caller(own_order, ada, card, till_of):
    path, body = f"/orders/{own_order['id']}/payments", {"method": "gift_card", "code": card["code"], "amount": 5}
    at_the_till = await till_of(own_order).pay("card_external", 1, key="k")

    replies = await asyncio.gather(*(ada("POST", path, body, Idempotency_Key="k") for _ in range(5)))

    (payment_id,) = {reply["id"] for reply in replies}
    assert payment_id != at_the_till["id"]
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 4
    assert await till_of(own_order).money() == ("partially_paid", 6, 0)


async def test_customer_cancels_and_pays_in_another_way(gateway, own_order, ada, card, till_of):
    path, rest = f"/orders/{own_order['id']}/payments", {"method": "gift_card", "code": card["code"], "amount": 15}
    online = await ada("POST", path, {"method": "stripe"})
    assert (await ada("POST", path, rest))["reason"] == "pending"

    assert (await ada("POST", f"{path}/{online['id']}/cancel"))["status"] == "cancelled"

    assert gateway.session["status"] == "expired"
    assert (await ada("POST", path, rest)).status == 201
    assert await till_of(own_order).money() == ("partially_paid", 15, 0)
