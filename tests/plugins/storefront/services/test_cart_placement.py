"""The placement of carts."""

import asyncio

from comanda.devkit.testing import line
from paying_first import open_account, set_payments


async def test_cart_placed_again_returns_same_order(guest, cart, store, soup, count_orders):
    first = await guest.call("place_order", cart)
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    again = await guest.call("place_order", {**cart, "expected_total": 1, "idempotency_key": "another"})

    assert again["order"] == first["order"]
    assert [(message["type"], message["code"]) for message in again["messages"]] == [("info", "already_placed")]
    assert await count_orders() == 1


async def test_changed_total_orders_nothing_and_returns_cart(guest, cart, store, soup, count_orders):
    await store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    refused = await guest.refused("place_order", {**cart, "expected_total": 10})

    assert (refused["code"], refused["order"], refused["cart"]["total"]) == ("price_changed", None, 12.0)
    assert [(one["type"], one["code"], one["path"]) for one in refused["messages"]] == [
        ("error", "price_changed", "expected_total")
    ]
    assert "12.00 EUR" in refused["message"]
    assert refused.keys() == {"order", "cart", "messages", "code", "message"}
    assert await count_orders() == 0
    assert (await guest.call("place_order", {**cart, "expected_total": 12}))["order"]["number"] == 1


async def test_refused_total_uses_no_number_key_or_stock(guest_of, open_store, owner, count_orders):
    shop = await open_store("retail")
    guest, socks = await guest_of(owner, shop.id), await shop.item("Socks", 6, stock=1)
    made = await guest.call("create_cart", {"type": "in_store", "items": [line(socks)]})
    arguments = {"cart_id": made["cart_id"], "idempotency_key": "k"}

    await guest.refused("place_order", {**arguments, "expected_total": 5})
    assert await count_orders() == 0

    assert (await guest.call("place_order", {**arguments, "expected_total": 6}))["order"]["number"] == 1


async def test_invalid_total_for_currency_is_refused(guest, cart, count_orders):
    refused = await guest.refused("place_order", {**cart, "expected_total": 10.001})

    assert list(refused["errors"]) == ["expected_total"]
    assert await count_orders() == 0


async def test_closed_store_orders_nothing_and_reports_opening_time(guest, closed, soup, clock, count_orders):
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup)]})

    refused = await guest.refused("place_order", {"cart_id": made["cart_id"]})

    assert (refused["code"], refused["order"]) == ("store_closed", None)
    assert "2026-06-01T18:00:00+00:00" in refused["messages"][0]["text"]
    assert await count_orders() == 0
    clock.advance(hours=5)
    await guest.call("get_cart", {"cart_id": made["cart_id"]})
    clock.advance(hours=1)
    assert (await guest.call("place_order", {"cart_id": made["cart_id"]}))["messages"] == []


async def test_sold_out_items_order_nothing(guest, cart, store, soup, count_orders):
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    refused = await guest.refused("place_order", cart)

    assert [(one["code"], one["path"]) for one in refused["messages"]] == [("sold_out", "items.0.item_id")]
    assert refused["cart"]["total"] == 0
    assert await count_orders() == 0


async def test_last_piece_goes_to_one_of_two_carts(guest_of, open_store, owner, count_orders):
    shop = await open_store("retail")
    guest, socks = await guest_of(owner, shop.id), await shop.item("Socks", 6, stock=1)
    carts = [await guest.call("create_cart", {"type": "in_store", "items": [line(socks)]}) for _ in range(2)]

    tried = await asyncio.gather(
        *(
            guest.request("tools/call", {"name": "place_order", "arguments": {"cart_id": one["cart_id"]}})
            for one in carts
        )
    )

    results = sorted((one["result"] for one in tried), key=lambda result: result["isError"])
    assert [result["isError"] for result in results] == [False, True]
    assert results[1]["structuredContent"]["code"] == "sold_out"
    assert await count_orders() == 1


async def test_key_returns_order_for_same_contents(guest, cart, soup, count_orders):
    first = await guest.call("place_order", {**cart, "idempotency_key": "k"})
    other = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})

    again = await guest.call("place_order", {"cart_id": other["cart_id"], "idempotency_key": "k"})

    assert again["order"] == first["order"]
    assert (await guest.call("get_cart", {"cart_id": other["cart_id"]}))["order"] == first["order"]
    assert await count_orders() == 1


async def test_key_of_other_contents_reveals_no_order(guest, cart, soup, front, count_orders):
    await front.order(line(soup), key="a-key-of-16-chars")

    refused = await guest.refused("place_order", {**cart, "idempotency_key": "a-key-of-16-chars"})

    assert (refused["code"], refused.get("order")) == ("idempotency_mismatch", None)
    assert (await guest.call("get_cart", cart))["order"] is None
    assert await count_orders() == 1
    assert (await guest.call("place_order", {**cart, "idempotency_key": "k2"}))["messages"] == []


async def test_concurrent_carts_with_one_key_place_one_order(guest, soup, count_orders):
    made = [await guest.call("create_cart", {"type": "takeaway", "items": [line(soup)]}) for _ in range(4)]

    placed = await asyncio.gather(
        *(guest.call("place_order", {"cart_id": one["cart_id"], "idempotency_key": "k"}) for one in made)
    )

    assert len({one["order"]["id"] for one in placed}) == 1
    assert await count_orders() == 1


async def test_cart_that_is_paid_first_says_where_and_until_when(guest, cart, store):
    await open_account(store)
    await set_payments(store, online_pickup="required")

    placed = await guest.call("place_order", cart)

    (message,) = placed["messages"]
    assert placed["order"]["continue_url"] == f"http://comanda.test/pay/{placed['order']['track_token']}"
    assert (message["type"], message["code"]) == ("warning", "awaits_payment")
    order = await store.get(f"/orders/{placed['order']['id']}")
    assert order["pay_by"] in message["text"]
    again = await guest.call("place_order", cart)
    assert [each["code"] for each in again["messages"]] == ["already_placed", "awaits_payment"]
