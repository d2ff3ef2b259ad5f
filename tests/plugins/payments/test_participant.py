"""Payments of orders that are amended."""

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql
from comanda_payments import tasks


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


async def void(store, order, **body):
    path = f"lines/{order['items'][0]['id']}/void"
    return await amend(store, order, path, quantity=1, reason="Cold", **body)


@pytest.mark.parametrize("method", ["cash", "card_external"])
async def test_void_carries_the_refund(store, order, till, published, method):
    await till.pay(method, 15)

    voided = await void(store, order, refund={})

    assert (voided.status, voided["total"], voided["is_paid"], voided["payment_status"]) == (201, 10, True, "paid")
    assert await till.money() == ("paid", 15, 5)
    (refund,) = await till.refunds()
    assert (refund["status"], refund["amount"], refund["reason"]) == ("completed", 5, "Cold")
    assert [part["method"] for part in refund["parts"]] == [method]
    names = [name for name, _ in await published()]
    assert sorted(names[-4:]) == ["order.amended", "order.paid", "order.payment_changed", "refund.completed"]


async def test_refund_in_an_amendment_goes_back_to_card_and_credit(
    store, own_order, customer, card, create_entry, till_of
):
    till = till_of(own_order)
    await create_entry(customer, 30)
    await till.pay("store_credit", 8)
    await till.pay("gift_card", 7, code=card["code"])

    discounted = await amend(store, own_order, "discounts", percent=50, reason="Late", refund={})

    assert (discounted.status, discounted["is_paid"]) == (201, True)
    assert await till.money() == ("paid", 15, 5)
    balance = (await store.get(f"/gift-cards/{card['id']}"))["balance"]
    assert (balance, (await store.get(f"/store-credit/{customer.id}"))["balance"]) == (13, 22)


async def test_share_of_a_blocked_card_needs_another_method(store, order, card, till):
    await till.pay("gift_card", 15, code=card["code"])
    await store.send("POST", f"/gift-cards/{card['id']}/block")

    refused = await void(store, order, refund={})
    wrong = await void(store, order, refund={"method": "iou"})
    paid_out = await void(store, order, refund={"method": "cash"})

    assert (refused.status, refused["reason"], list(refused["errors"])) == (
        422, "gift_card_blocked", ["refund.method"]
    )  # fmt: skip
    assert (wrong.status, list(wrong["errors"])) == (422, ["refund.method"])
    assert (paid_out.status, await till.money()) == (201, ("paid", 15, 5))


async def test_online_refund_of_an_amendment_is_made_after_the_commit(
    store, order, gateway, till, published, reconcile_later
):
    await till.pay("stripe", 15)
    gateway.pay(gateway.session)
    await reconcile_later()

    voided = await void(store, order, refund={})

    assert (voided.status, voided["is_paid"], gateway.refunds) == (201, True, {})
    assert ((await till.refunds())[0]["status"], await till.money()) == ("pending", ("paid", 15, 0))
    await tasks.reconcile()
    assert [refund["amount"] for refund in gateway.refunds.values()] == ["500"]
    assert ((await till.refunds())[0]["status"], await till.money()) == ("completed", ("paid", 15, 5))
    names = [name for name, _ in await published()]
    assert (names.count("order.paid"), names.count("refund.completed")) == (1, 1)


async def test_total_stays_above_what_is_being_paid_online(store, order, gateway, till):
    await till.pay("stripe", 15)

    refused = await void(store, order, refund={})

    assert (refused.status, refused["reason"]) == (422, "payment_pending")
    assert (await till.order())["total"] == 20


async def test_pending_refund_is_not_made_again(store, order, gateway, till, reconcile_later):
    await till.pay("stripe", 15)
    gateway.pay(gateway.session)
    await reconcile_later()
    gateway.refund_status = "pending"
    await till.refund(amount=5)

    refused = await void(store, order)
    voided = await void(store, order, refund={})

    assert (refused["reason"], voided.status, len(await till.refunds())) == ("refund_due", 201, 1)


async def test_refund_of_a_merged_order_is_completed_there(store, new_order, gateway, till_of, reconcile_later):
    one, other = await new_order(1), await new_order(2)
    await till_of(other).pay("stripe", 15)
    gateway.pay(gateway.session)
    await reconcile_later()
    gateway.refund_status = "pending"
    await till_of(other).refund(amount=5)
    await amend(store, one, "merge", order_id=other["id"])
    (refund,) = gateway.refunds.values()
    refund["status"] = "succeeded"

    await reconcile_later()

    assert await till_of(one).money() == ("partially_refunded", 15, 5)


async def test_split_carries_the_refund(store, order, till):
    await till.pay(amount=15)
    lines = [{"line_id": order["items"][0]["id"], "quantity": 1}]

    refused = await amend(store, order, "split", lines=lines)
    split = await amend(store, order, "split", lines=lines, refund={})

    assert (refused["reason"], split.status, split["total"]) == ("refund_due", 201, 10)
    assert await till.money() == ("paid", 15, 5)


async def test_repeated_amendment_refunds_once(store, order, till):
    await till.pay(amount=15)
    path, key = f"/orders/{order['id']}/lines/{order['items'][0]['id']}/void", {"Idempotency-Key": "void-1"}
    body = {"quantity": 1, "reason": "Cold", "refund": {}}

    first = await store.send("POST", path, body, **key)
    again = await store.send("POST", path, body, **key)

    assert (first.status, again.document) == (201, first.document)
    assert await till.money() == ("paid", 15, 5)


async def test_refund_does_not_close_a_reopened_order(store, order, gateway, till, reconcile_later, paid_events):
    await till.pay("stripe", 15)
    gateway.pay(gateway.session)
    await reconcile_later()
    await void(store, order, refund={})
    await amend(store, order, "reopen", reason="One soup more")

    await reconcile_later()

    assert ((await till.refunds())[0]["status"], (await till.order())["is_paid"]) == ("completed", False)
    assert len(await paid_events()) == 1


async def test_stock_that_a_refund_returned_is_not_returned_again(owner, client, till_of):
    store = TestStore(client, owner, await owner.store("retail"))
    cup = await store.item("Cup", 4, stock=5)
    order = await store.order(line(cup, 2), line(await store.item("Bag", 2)), type="in_store")
    till, line_id = till_of(order, store), order["items"][0]["id"]
    await till.pay(amount=8)
    await till.refund(lines=[{"line_id": line_id, "quantity": 1, "restock": True}])

    await amend(store, order, f"lines/{line_id}/void", reason="Too many", refund={})

    assert await sql.fetch_value("SELECT stock FROM core_menu_item WHERE id = $1", cup["id"]) == 5
    await store.set_status(order["id"], "cancelled")
    assert await sql.fetch_value("SELECT stock FROM core_menu_item WHERE id = $1", cup["id"]) == 5
