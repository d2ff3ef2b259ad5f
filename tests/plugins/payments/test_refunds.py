"""Money that goes back: to where it came from, at most once, and goods into stock."""

import asyncio

import pytest


@pytest.fixture
async def shop(open_store):
    """A shop, whose goods are counted."""
    return await open_store("retail")


async def test_a_full_refund_gives_all_back_and_tells(till, order, paid_events):
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


async def test_the_last_tender_goes_back_first(till):
    first = await till.pay("card_external", 12)
    second = await till.pay("cash")

    reply = await till.refund(amount=10)

    assert [(part["payment_id"], part["method"], part["amount"]) for part in reply["parts"]] == [
        (second["id"], "cash", 8),
        (first["id"], "card_external", 2),
    ]
    assert await till.money() == ("partially_refunded", 20, 10)
    assert (await till.order())["is_paid"] is True


async def test_no_more_goes_back_than_was_paid(till, paid_events):
    assert (await till.refund())["reason"] == "nothing_to_refund"
    await till.pay("cash", 5)

    assert (await till.refund(amount=5.01)).errors == {"amount": ["At most 5.00 EUR of this order can be refunded."]}
    await till.refund(amount=4)
    assert (await till.refund(amount=2)).errors == {"amount": ["At most 1.00 EUR of this order can be refunded."]}
    assert await till.money() == ("partially_refunded", 5, 4)
    assert len(await paid_events("refund.completed")) == 1


async def test_what_went_back_before_an_order_was_paid_is_to_be_paid_again(till, paid_events):
    await till.pay("card_external", 5)
    await till.refund()
    assert await till.money() == ("refunded", 5, 5)

    reply = await till.pay("cash", 15)
    assert reply["left"] == 5
    assert (await till.money(), await paid_events()) == (("partially_paid", 20, 5), [])

    await till.pay()
    assert (await till.money(), len(await paid_events())) == (("paid", 25, 5), 1)


async def test_an_order_that_was_paid_stays_settled_after_a_refund(till, paid_events):
    await till.pay()
    await till.refund(amount=3)

    assert (await till.pay("cash", 3))["reason"] == "already_paid"
    assert (await till.split("evenly", n=2))["left"] == 0
    assert len(await paid_events()) == 1


async def test_lines_go_back_at_what_they_cost_and_into_stock(shop, till_of, paid_events):
    shirt = await shop.item("Shirt", price=9.99, stock=10)
    order = await shop.order({"item_id": shirt["id"], "quantity": 3}, type="in_store")
    till, line_id = till_of(order, shop), order["items"][0]["id"]
    await till.pay()

    one = await till.refund(lines=[{"line_id": line_id, "quantity": 1, "restock": True}])
    rest = await till.refund(lines=[{"line_id": line_id}])

    assert one["lines"] == [{"line_id": line_id, "quantity": 1, "amount": 9.99, "restock": True}]
    assert rest["lines"] == [{"line_id": line_id, "quantity": 2, "amount": 19.98, "restock": False}]
    assert (await shop.get(f"/menu/items/{shirt['id']}"))["stock"] == 8
    again = await till.refund(lines=[{"line_id": line_id}])
    assert again.status == 409
    assert [event["lines"][0]["restock"] for event in await paid_events("refund.completed")] == [True, False]


async def test_parts_of_a_line_that_does_not_divide_add_up_to_the_line(store, till_of):
    await store.send("PUT", "/settings", {"tax_rate": 7, "tax_included": False})
    tea = await store.item("Tea", price=1.01)
    order = await store.order({"item_id": tea["id"], "quantity": 3})
    till, line = till_of(order), order["items"][0]
    await till.pay()

    parts = [(await till.refund(lines=[{"line_id": line["id"], "quantity": 1}]))["amount"] for _ in range(3)]

    assert round(sum(parts), 2) == line["line_total"] == order["total"]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"lines": [{"line_id": 1}]}, "lines.0.line_id"),
        ({"lines": [{"line_id": "own"}, {"line_id": "own"}]}, "lines.1.line_id"),
        ({"lines": [{"line_id": "own", "quantity": 3}]}, "lines.0.quantity"),
        ({"lines": [{"line_id": "own", "restock": True}]}, "lines.0.restock"),
        ({"lines": [{"line_id": "own"}], "amount": 1}, "amount"),
        ({"amount": 0}, "amount"),
        ({"lines": []}, "lines"),
        ({"reason": " "}, "reason"),
    ],
)
async def test_a_refund_that_cannot_be_is_refused_and_changes_nothing(till, order, published, fields, path):
    await till.pay()
    before = await published()
    for line in fields.get("lines", []):
        line["line_id"] = order["items"][0]["id"] if line["line_id"] == "own" else line["line_id"]

    reply = await till.refund(**fields)

    assert list(reply.errors) == [path]
    assert (await till.refunds(), await till.money(), await published()) == ([], ("paid", 20, 0), before)


async def test_a_cancelled_order_can_be_refunded_but_its_stock_is_back_already(shop, till_of):
    shirt = await shop.item("Shirt", price=5, stock=4)
    order = await shop.order({"item_id": shirt["id"], "quantity": 2}, type="in_store")
    till = till_of(order, shop)
    await till.pay()
    await shop.set_status(order["id"], "cancelled")

    reply = await till.refund(lines=[{"line_id": order["items"][0]["id"], "restock": True}])
    assert list(reply.errors) == ["lines.0.restock"]

    assert (await till.refund())["amount"] == 10
    assert (await shop.get(f"/menu/items/{shirt['id']}"))["stock"] == 4


async def test_a_repeated_key_refunds_once(till):
    await till.pay()

    first, second = await till.refund(amount=5, key="r"), await till.refund(amount=5, key="r")

    assert second.document == first.document
    assert second.headers["idempotent-replayed"] == "true"
    assert await till.money() == ("partially_refunded", 20, 5)


async def test_refunds_at_once_never_give_back_more_than_was_paid(till, paid_events):
    await till.pay("cash", 12)
    await till.pay("card_external")

    replies = await asyncio.gather(*(till.refund(amount=3) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 6 + [422] * 4
    assert await till.money() == ("partially_refunded", 20, 18)
    assert len(await paid_events("refund.completed")) == 6
