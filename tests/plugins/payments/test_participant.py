"""Payments of orders that are amended."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql


async def amend(store, order, path, **body):
    return await store.send("POST", f"/orders/{order['id']}/{path}", body)


async def test_void_down_to_what_was_paid_pays_the_order(store, order, till, published):
    await till.pay(amount=10)

    voided = await amend(store, order, f"lines/{order['items'][0]['id']}/void", quantity=1, reason="Cold")

    assert (voided["payment_status"], voided["is_paid"], voided["amount_due"]) == ("paid", True, 0)
    name, event = next(each for each in reversed(await published()) if each[0] == "order.paid")
    assert (name, event["total"], [each["amount"] for each in event["payments"]]) == ("order.paid", "10.00", ["10.00"])


async def test_void_below_what_was_paid_is_refused(store, order, till):
    await till.pay(amount=15)

    refused = await amend(store, order, f"lines/{order['items'][0]['id']}/void", quantity=1, reason="Cold")

    assert (refused.status, refused["reason"], refused["refund_due"]) == (422, "refund_due", 5)
    await till.refund(amount=5)
    again = await amend(store, order, f"lines/{order['items'][0]['id']}/void", quantity=1, reason="Cold")
    assert (again.status, again["is_paid"]) == (201, True)


async def test_payments_go_with_a_merged_order(store, new_order, till_of):
    one, other = await new_order(1), await new_order(2)
    await till_of(other).pay(amount=5)

    merged = await amend(store, one, "merge", order_id=other["id"])

    assert (merged["total"], merged["paid_total"], merged["amount_due"]) == (30, 5, 25)
    assert [each["amount"] for each in await till_of(one).payments()] == [5]
    assert await till_of(other).payments() == []
    assert (await till_of(one).pay()).status == 201
    assert (await till_of(one).money())[:2] == ("paid", 30)
    assert await sql.fetch_value("SELECT sum(paid_minor) FROM core_order WHERE store_id = $1", store.id) == 3000


async def test_reopened_order_is_paid_again(store, order, soup, till, published):
    await till.pay()
    await amend(store, order, "reopen", reason="One soup more")
    await amend(store, order, "lines", items=[line(soup)])

    await till.pay()

    assert await till.money() == ("paid", 30, 0)
    assert [name for name, _ in await published()].count("order.paid") == 2


async def test_reopened_order_is_paid_when_nothing_is_due(store, order, till):
    await till.pay()
    await amend(store, order, "reopen", reason="Wrong table")

    moved = await amend(store, order, "move", table_number="4")

    assert (moved.status, moved["is_paid"], moved["payment_status"]) == (200, True, "paid")


@pytest.mark.parametrize("path", ["lines", "discounts"])
async def test_paid_order_is_not_amended(store, order, soup, till, path):
    await till.pay()
    body = {"lines": {"items": [line(soup)]}, "discounts": {"percent": 10, "reason": "Late"}}[path]

    refused = await amend(store, order, path, **body)

    assert (refused.status, refused["reason"]) == (409, "order_paid")
