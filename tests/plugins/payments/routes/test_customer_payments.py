"""Payments of customers' own orders over HTTP."""


async def test_order_of_other_customer_returns_404(own_order, new_customer, app_of, card, till_of):
    bo = await app_of(await new_customer("Bo"))
    body = {"method": "gift_card", "code": card["code"]}

    for reply in (
        await bo("POST", f"/orders/{own_order['id']}/payments", body),
        await bo("POST", f"/orders/{own_order['id']}/payments", {"amount": "nonsense"}),
        await bo("GET", f"/orders/{own_order['id']}/payments"),
    ):
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert await till_of(own_order).payments() == []


async def test_gift_card_codes_are_rate_limited(own_order, ada, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.customer_payments.MAX_CODES_PER_MINUTE", 2)
    body = {"method": "gift_card", "code": "AAAABBBBCCCCDDDD"}

    replies = [await ada("POST", f"/orders/{own_order['id']}/payments", body) for _ in range(4)]

    assert replies[-1].status == 429
