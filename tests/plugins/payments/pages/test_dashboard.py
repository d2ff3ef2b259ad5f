"""Payments and refunds of an order in the dashboard."""

import re

import pytest


@pytest.fixture
def path(store, order):
    return f"/stores/{store.id}/orders/{order['id']}"


async def test_cash_is_taken_and_shown_with_its_change(dashboard, till, path):
    assert "Take a payment of €20.00" in await dashboard.get(path)
    assert 'value="20' in await dashboard.get(f"{path}/payments/new")

    assert (
        await dashboard.post(f"{path}/payments/new", {"method": "cash", "amount": "25", "tip": "", "code": ""}) == path
    )

    assert await till.money() == ("paid", 20, 0)
    page = await dashboard.get(path)
    assert "Tendered €25.00, change €5.00" in page
    assert "Take a payment" not in page


async def test_form_that_is_sent_twice_pays_once(dashboard, till, path):
    page = await dashboard.get(f"{path}/payments/new")
    key = re.search(r'name="_form_key" value="([^"]+)"', page)[1]
    fields = {"method": "cash", "amount": "5", "tip": "", "code": "", "_form_key": key}

    for amount in ("5", "5", "7"):
        assert await dashboard.post(f"{path}/payments/new", {**fields, "amount": amount}) == path

    assert await till.money() == ("partially_paid", 12, 0)
    assert key not in await dashboard.get(f"{path}/payments/new")


async def test_refused_payment_keeps_its_values(dashboard, till, path):
    page = await dashboard.post(
        f"{path}/payments/new", {"method": "card_external", "amount": "99", "reference": "Slip 7"}, status=422
    )

    assert 'value="Slip 7"' in page
    assert 'aria-invalid="true"' in page
    assert await till.money() == ("unpaid", 0, 0)


async def test_line_is_refunded_with_its_reason(dashboard, till, path, order):
    await till.pay()
    line_id = order["items"][0]["id"]
    fields = {"_what": "lines", "lines.0.line_id": str(line_id), "reason": "Too cold"}

    refused = await dashboard.post(f"{path}/refunds/new", {**fields, "lines.0.quantity": ""}, status=422)
    assert "Choose a quantity" in refused
    assert await dashboard.post(f"{path}/refunds/new", {**fields, "lines.0.quantity": "1"}) == path

    assert await till.money() == ("partially_refunded", 20, 10)
    page = await dashboard.get(path)
    assert "Too cold" in page
    assert "Refunded €10.00" in page


async def test_part_of_a_blocked_gift_card_is_refunded_to_the_method_chosen(dashboard, till, path, store, card):
    await till.pay("gift_card", 12, code=card["code"])
    await store.send("POST", f"/gift-cards/{card['id']}/block")
    assert 'name="method"' not in await dashboard.get(f"{path}/refunds/new")
    fields = {"_what": "all", "reason": "Late"}

    refused = await dashboard.post(f"{path}/refunds/new", fields, status=422)
    assert f"The gift card ending in {card['code_last4']} is blocked." in refused
    assert await dashboard.post(f"{path}/refunds/new", {**fields, "method": "cash"}) == path

    (refund,) = await till.refunds()
    assert [(part["method"], part["amount"]) for part in refund["parts"]] == [("cash", 12)]


async def test_amount_and_the_rest_are_refunded(dashboard, till, path):
    await till.pay()
    for fields in ({"_what": "amount", "amount": "5"}, {"_what": "all"}):
        await dashboard.post(f"{path}/refunds/new", {**fields, "reason": "Late"})

    assert await till.money() == ("refunded", 20, 20)


async def test_amount_that_is_typed_in_is_refunded_without_a_line(dashboard, till, path, order):
    await till.pay()
    fields = {"_what": "lines", "lines.0.line_id": str(order["items"][0]["id"]), "reason": "Late", "amount": "5"}

    assert 'data-left="20' in await dashboard.get(f"{path}/refunds/new")
    await dashboard.post(f"{path}/refunds/new", {**fields, "lines.0.quantity": ""})

    assert await till.money() == ("partially_refunded", 20, 5)
    await dashboard.post(f"{path}/refunds/new", {**fields, "lines.0.quantity": "1"})
    assert await till.money() == ("partially_refunded", 20, 15)


async def test_finished_order_without_payment_is_pointed_out(dashboard, store, till, order):
    await store.set_status(order["id"], "completed")
    assert "completed, but not paid" in await dashboard.get(f"/stores/{store.id}")

    await till.pay()

    assert "completed, but not paid" not in await dashboard.get(f"/stores/{store.id}")


async def test_payment_of_an_order_of_another_store_is_not_found(dashboard, open_store, order, till):
    other = await open_store("restaurant")

    for page in ("payments/new", "refunds/new"):
        await dashboard.get(f"/stores/{other.id}/orders/{order['id']}/{page}", status=404)
        fields = {"method": "cash", "reason": "x", "_what": "all"}
        await dashboard.post(f"/stores/{other.id}/orders/{order['id']}/{page}", fields, status=404)
    assert await till.money() == ("unpaid", 0, 0)
