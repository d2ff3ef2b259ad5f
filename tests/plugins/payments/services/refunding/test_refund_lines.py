"""Refunds by line: amounts and restocking."""

import pytest


@pytest.fixture
async def shop(open_store):
    """A shop, whose goods are counted."""
    return await open_store("retail")


async def test_lines_are_refunded_and_restocked(shop, till_of, paid_events):
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


async def test_partial_refunds_of_line_add_up(store, till_of):
    await store.send("PUT", "/settings", {"tax_rate": 7, "is_tax_included": False})
    tea = await store.item("Tea", price=1.01)
    order = await store.order({"item_id": tea["id"], "quantity": 3})
    till, line = till_of(order), order["items"][0]
    await till.pay()

    parts = [(await till.refund(lines=[{"line_id": line["id"], "quantity": 1}]))["amount"] for _ in range(3)]

    assert round(sum(parts), 2) == line["line_total"] == order["total"]


async def test_cancelled_order_is_refunded_without_restocking(shop, till_of):
    shirt = await shop.item("Shirt", price=5, stock=4)
    order = await shop.order({"item_id": shirt["id"], "quantity": 2}, type="in_store")
    till = till_of(order, shop)
    await till.pay()
    await shop.set_status(order["id"], "cancelled")

    reply = await till.refund(lines=[{"line_id": order["items"][0]["id"], "restock": True}])
    assert list(reply.errors) == ["lines.0.restock"]

    assert (await till.refund())["amount"] == 10
    assert (await shop.get(f"/menu/items/{shirt['id']}"))["stock"] == 4
