"""Payments: what they pay, what they refuse, and idempotency keys."""

import asyncio


async def test_payment_without_amount_pays_amount_due(till, order, paid_events):
    reply = await till.pay()

    assert reply.status == 201
    assert (reply["amount"], reply["tendered"], reply["change"], reply["left"]) == (20, 20, 0, 0)
    assert (reply["status"], reply["payment_status"]) == ("succeeded", "paid")
    after = await till.order()
    assert (after["is_paid"], after["paid_total"], after["payment_status"]) == (True, 20, "paid")
    assert after["status"] == "new"
    assert await paid_events() == [
        {
            "order_id": order["id"],
            "restaurant_id": order["restaurant_id"],
            "total": "20.00",
            "paid_total": "20.00",
            "currency": "EUR",
            "payments": [{"payment_id": reply["id"], "method": "cash", "amount": "20.00", "tip": "0.00"}],
        }
    ]


INVALID_PAYMENTS = [
    ({"method": "barter"}, "method"),
    ({"method": "stripe"}, "method"),
    ({"amount": 0}, "amount"),
    ({"amount": 1.001}, "amount"),
    ({"tip": 1000.01}, "tip"),
    ({"method": "gift_card"}, "code"),
    ({"method": "gift_card", "code": "AAAA-BBBB-CCCC-DDDD"}, "code"),
    ({"method": "store_credit"}, "method"),
]


async def test_invalid_payment_is_refused_and_stores_nothing(till, subtests):
    for body, field in INVALID_PAYMENTS:
        with subtests.test(body=body, field=field):
            reply = await till.pay(**{"method": "cash", **body})

            assert list(reply.errors) == [field]
            assert await till.payments() == []
            assert await till.money() == ("unpaid", 0, 0)


async def test_paid_order_refuses_payment(till):
    await till.pay()

    reply = await till.pay("card_external", 1)

    assert (reply.status, reply["reason"]) == (409, "already_paid")
    assert len(await till.payments()) == 1


async def test_cancelled_order_refuses_payment(till, store, order):
    await store.set_status(order["id"], "cancelled")

    reply = await till.pay()

    assert (reply.status, reply["reason"]) == (409, "cancelled")
    assert await till.payments() == []


async def test_repeated_key_pays_once(till):
    first = await till.pay("card_external", 5, key="a")
    second = await till.pay("card_external", 6, key="a")

    assert second.status == 201
    assert second.document == first.document
    assert (second.headers["idempotent-replayed"], second.headers["idempotency-mismatch"]) == ("true", "true")
    assert await till.money() == ("partially_paid", 5, 0)


async def test_concurrent_payments_never_exceed_total(till, paid_events):
    replies = await asyncio.gather(*(till.pay("card_external", 15) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] + [422] * 7
    assert await till.money() == ("partially_paid", 15, 0)

    replies = await asyncio.gather(*(till.pay("cash") for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 7
    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_concurrent_requests_with_one_key_pay_once(till):
    replies = await asyncio.gather(*(till.pay("card_external", 2, key="k") for _ in range(6)))

    assert {reply["id"] for reply in replies} == {(await till.payments())[0]["id"]}
    assert await till.money() == ("partially_paid", 2, 0)
