"""Tenders of orders: what they pay, what they leave, and that an order is paid once."""

import asyncio

import pytest


async def test_a_payment_without_an_amount_pays_all_that_is_left(till, order, paid_events):
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


async def test_several_tenders_make_up_a_total_and_the_order_is_paid_once(till, paid_events):
    first = await till.pay("card_external", 12.5, reference="terminal 4", tip=2)
    assert (first["left"], first["payment_status"], first["tip"], first["reference"]) == (
        7.5, "partially_paid", 2, "terminal 4",
    )  # fmt: skip
    assert await till.money() == ("partially_paid", 12.5, 0)
    assert await paid_events() == []

    second = await till.pay("cash", 10)

    assert (second["amount"], second["tendered"], second["change"]) == (7.5, 10, 2.5)
    assert await till.money() == ("paid", 20, 0)
    (event,) = await paid_events()
    assert [(paid["method"], paid["amount"], paid["tip"]) for paid in event["payments"]] == [
        ("card_external", "12.50", "2.00"),
        ("cash", "7.50", "0.00"),
    ]
    assert [payment["id"] for payment in await till.payments()] == [second["id"], first["id"]]


async def test_only_cash_may_be_more_than_what_is_left(till, published):
    before = await published()

    reply = await till.pay("card_external", 20.01)

    assert reply.errors == {"amount": ["Only cash may exceed the amount due, 20.00 EUR."]}
    assert (await till.payments(), await published()) == ([], before)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"method": "barter"}, "method"),
        ({"method": "gateway"}, "method"),
        ({"amount": 0}, "amount"),
        ({"amount": 1.001}, "amount"),
        ({"tip": 1000.01}, "tip"),
        ({"method": "gift_card"}, "code"),
        ({"method": "gift_card", "code": "AAAA-BBBB-CCCC-DDDD"}, "code"),
        ({"method": "store_credit"}, "method"),
    ],
)
async def test_a_payment_that_cannot_be_is_refused_and_leaves_nothing(till, body, field):
    reply = await till.pay(**{"method": "cash", **body})

    assert list(reply.errors) == [field]
    assert await till.payments() == []
    assert await till.money() == ("unpaid", 0, 0)


async def test_a_paid_order_takes_no_more(till):
    await till.pay()

    reply = await till.pay("card_external", 1)

    assert (reply.status, reply["reason"]) == (409, "already_paid")
    assert len(await till.payments()) == 1


async def test_a_cancelled_order_takes_nothing(till, store, order):
    await store.set_status(order["id"], "cancelled")

    reply = await till.pay()

    assert (reply.status, reply["reason"]) == (409, "cancelled")
    assert await till.payments() == []


async def test_an_order_that_costs_nothing_is_paid_by_settling_it(till_of, store, paid_events):
    water = await store.item("Water", price=0)
    till = till_of(await store.order({"item_id": water["id"]}))
    assert (await till.order())["is_paid"] is False

    reply = await till.pay()

    assert (reply.status, reply["amount"]) == (201, 0)
    assert ((await till.order())["is_paid"], len(await paid_events())) == (True, 1)
    assert (await till.pay())["reason"] == "already_paid"


async def test_a_repeated_key_pays_once(till):
    first = await till.pay("card_external", 5, key="a")
    second = await till.pay("card_external", 6, key="a")

    assert second.status == 201
    assert second.document == first.document
    assert (second.headers["idempotent-replayed"], second.headers["idempotency-mismatch"]) == ("true", "true")
    assert await till.money() == ("partially_paid", 5, 0)


async def test_two_tills_at_once_never_take_more_than_the_total(till, paid_events):
    replies = await asyncio.gather(*(till.pay("card_external", 15) for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] + [422] * 7
    assert await till.money() == ("partially_paid", 15, 0)

    replies = await asyncio.gather(*(till.pay("cash") for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 7
    assert (await till.money(), len(await paid_events())) == (("paid", 20, 0), 1)


async def test_requests_of_one_key_at_once_are_one_payment(till):
    replies = await asyncio.gather(*(till.pay("card_external", 2, key="k") for _ in range(6)))

    assert {reply["id"] for reply in replies} == {(await till.payments())[0]["id"]}
    assert await till.money() == ("partially_paid", 2, 0)


async def test_cash_that_pays_an_order_off_is_rounded_and_the_order_costs_what_it_costs(store, till_of):
    await store.send("PUT", "/settings", {"cash_rounding": 0.05})
    tea = await store.item("Tea", price=4.32)
    till = till_of(await store.order({"item_id": tea["id"]}))

    part = await till.pay("card_external", 1)
    cash = await till.pay("cash", 5)

    assert part["rounding"] == 0
    assert (cash["amount"], cash["rounding"], cash["tendered"], cash["change"]) == (3.32, -0.02, 5, 1.7)
    assert await till.money() == ("paid", 4.32, 0)
    assert (await till.order())["total"] == 4.32


@pytest.mark.parametrize(
    ("by", "fields", "amounts"),
    [
        ("evenly", {"n": 3}, [6.68, 6.66, 6.66]),
        ("amount", {"amounts": [5, 2.5]}, [5, 2.5, 12.5]),
        ("amount", {"amounts": [20]}, [20]),
    ],
)
async def test_a_bill_is_shared_and_the_first_pays_what_does_not_divide(till, by, fields, amounts):
    reply = await till.split(by, **fields)

    assert reply.status == 200
    assert [part["amount"] for part in reply["parts"]] == amounts
    assert reply["left"] == 20
    assert await till.payments() == []


async def test_a_bill_shared_by_lines_lets_fees_follow_the_lines(store, till_of):
    soup, steak = await store.item("Soup", price=5), await store.item("Steak", price=15)
    order = await store.order({"item_id": soup["id"]}, {"item_id": steak["id"]}, tip_amount=2)
    till, (first, second) = till_of(order), [line["id"] for line in order["items"]]

    reply = await till.split("lines", lines=[[first]])

    assert reply["parts"] == [{"amount": 5.5, "line_ids": [first]}, {"amount": 16.5, "line_ids": [second]}]
    assert (await till.split("lines", lines=[[first], [first]])).errors["lines"] == [
        "A line can only be assigned to one guest."
    ]


@pytest.mark.parametrize(
    ("by", "fields", "field"),
    [("evenly", {}, "n"), ("amount", {}, "amounts"), ("amount", {"amounts": [21]}, "amounts"), ("lines", {}, "lines"),
     ("lines", {"lines": [[1]]}, "lines"), ("evenly", {"n": 0}, "n")],
)  # fmt: skip
async def test_a_split_that_cannot_be_is_refused(till, by, fields, field):
    assert list((await till.split(by, **fields)).errors) == [field]
