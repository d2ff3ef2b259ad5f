"""Refunds: to the tenders that were used, at most what was paid."""

import asyncio


async def test_full_refund_sends_event(till, order, paid_events):
    await till.pay()

    reply = await till.refund(reason="Never came")

    assert (reply.status, reply["status"], reply["amount"]) == (201, "completed", 20)
    assert await till.money() == ("refunded", 20, 20)
    assert await paid_events("refund.completed") == [
        {
            "refund_id": reply["id"],
            "order_id": order["id"],
            "restaurant_id": order["restaurant_id"],
            "amount": "20.00",
            "currency": "EUR",
            "reason": "Never came",
            "lines": [],
        }
    ]
    assert (await till.order())["status"] == "new"
    assert (await till.payments())[0]["refunded"] == 20


async def test_latest_payment_is_refunded_first(till):
    first = await till.pay("card_external", 12)
    second = await till.pay("cash")

    reply = await till.refund(amount=10)

    assert [(part["payment_id"], part["method"], part["amount"]) for part in reply["parts"]] == [
        (second["id"], "cash", 8),
        (first["id"], "card_external", 2),
    ]
    assert await till.money() == ("partially_refunded", 20, 10)
    assert (await till.order())["is_paid"] is True


async def test_refund_is_limited_to_amount_paid(till, paid_events):
    assert (await till.refund())["reason"] == "nothing_to_refund"
    await till.pay("cash", 5)

    assert (await till.refund(amount=5.01)).errors == {"amount": ["At most 5.00 EUR of this order can be refunded."]}
    await till.refund(amount=4)
    assert (await till.refund(amount=2)).errors == {"amount": ["At most 1.00 EUR of this order can be refunded."]}
    assert await till.money() == ("partially_refunded", 5, 4)
    assert len(await paid_events("refund.completed")) == 1


async def test_refund_of_unpaid_order_is_due_again(till, paid_events):
    await till.pay("card_external", 5)
    await till.refund()
    assert await till.money() == ("refunded", 5, 5)

    reply = await till.pay("cash", 15)
    assert reply["left"] == 5
    assert (await till.money(), await paid_events()) == (("partially_paid", 20, 5), [])

    await till.pay()
    assert (await till.money(), len(await paid_events())) == (("paid", 25, 5), 1)


async def test_paid_order_stays_paid_after_refund(till, paid_events):
    await till.pay()
    await till.refund(amount=3)

    assert (await till.pay("cash", 3))["reason"] == "already_paid"
    assert (await till.split("evenly", n=2))["left"] == 0
    assert len(await paid_events()) == 1


NOBODYS = 987_654_321
INVALID_REFUNDS = [
    ({"lines": [{"line_id": "nobody's"}]}, "lines.0.line_id"),
    ({"lines": [{"line_id": "own"}, {"line_id": "own"}]}, "lines.1.line_id"),
    ({"lines": [{"line_id": "own", "quantity": 3}]}, "lines.0.quantity"),
    ({"lines": [{"line_id": "own", "restock": True}]}, "lines.0.restock"),
    ({"lines": [{"line_id": "own"}], "amount": 1}, "amount"),
    ({"amount": 0}, "amount"),
    ({"lines": []}, "lines"),
    ({"reason": " "}, "reason"),
]


async def test_invalid_refund_changes_nothing(till, order, published, subtests):
    await till.pay()
    before = await published()

    for fields, path in INVALID_REFUNDS:
        with subtests.test(fields=fields, path=path):
            own = order["items"][0]["id"]
            lines = [
                {**line, "line_id": own if line["line_id"] == "own" else NOBODYS} for line in fields.get("lines", [])
            ]

            reply = await till.refund(**({**fields, "lines": lines} if "lines" in fields else fields))

            assert list(reply.errors) == [path]
            assert (await till.refunds(), await till.money(), await published()) == ([], ("paid", 20, 0), before)


async def test_repeated_key_refunds_once(till):
    await till.pay()

    first, second = await till.refund(amount=5, key="r"), await till.refund(amount=5, key="r")

    assert second.document == first.document
    assert second.headers["idempotent-replayed"] == "true"
    assert await till.money() == ("partially_refunded", 20, 5)


async def test_concurrent_refunds_never_exceed_amount_paid(till, paid_events):
    await till.pay("cash", 12)
    await till.pay("card_external")

    replies = await asyncio.gather(*(till.refund(amount=3) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 6 + [422] * 4
    assert await till.money() == ("partially_refunded", 20, 18)
    assert len(await paid_events("refund.completed")) == 6
