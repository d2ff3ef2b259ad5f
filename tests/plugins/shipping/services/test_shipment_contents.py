"""What is left to ship of an order."""

import asyncio
from collections import Counter

import pytest
from comanda.devkit.testing import line


async def test_order_ships_in_parts(shop, count_shipped_pieces):
    order = await shop.create_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 2))

    first = await shop.create_shipment(order, {0: 1})
    second = await shop.create_shipment(order, {0: 1, 1: 1})
    rest = await shop.create_shipment(order)
    nothing = await shop.request_shipment(order)

    held = [[(held["name"], held["quantity"]) for held in made["items"]] for made in (first, second, rest)]
    assert held == [[("Lamp", 1)], [("Lamp", 1), ("Bulb", 1)], [("Lamp", 1), ("Bulb", 1)]]
    assert (nothing.status, nothing["reason"]) == (409, "shipped")
    assert await count_shipped_pieces(shop) == 5


async def test_line_without_quantity_takes_what_is_left(shop):
    order = await shop.create_order()
    await shop.create_shipment(order, {0: 1})

    reply = await shop.request_shipment(order, {0: None})

    assert [held["quantity"] for held in reply["items"]] == [2]


async def test_quantity_beyond_what_is_left_returns_422(shop, count_shipped_pieces):
    order = await shop.create_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 2))
    await shop.create_shipment(order, {0: 2, 1: 2})

    reply = await shop.request_shipment(order, {0: 2, 1: None})

    assert reply.errors == {
        "items.0.quantity": ["Lamp has 1 left to ship."],
        "items.1.quantity": ["Bulb has 0 left to ship."],
    }
    assert await count_shipped_pieces(shop) == 4


async def test_repeated_or_foreign_line_returns_422(shop):
    order, other = await shop.create_order(), await shop.create_order()
    mine, foreign = order["items"][0]["id"], other["items"][0]["id"]
    body = {"items": [{"order_line_id": mine, "quantity": 1}] * 2 + [{"order_line_id": foreign, "quantity": 1}]}

    reply = await shop.send("POST", f"/orders/{order['id']}/shipments", body)

    assert reply.errors == {
        "items.1.order_line_id": ["Lamp is listed twice. List each line once."],
        "items.2.order_line_id": [f"This order has no line {foreign}."],
    }
    assert await shop.list_shipments() == []


async def test_concurrent_shipments_contain_last_piece_once(shop, count_shipped_pieces):
    order = await shop.create_order()
    await shop.create_shipment(order, {0: 2})

    replies = await asyncio.gather(*(shop.request_shipment(order, {0: 1}) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 1, 409: 9}
    assert await count_shipped_pieces(shop) == 3


async def test_concurrent_shipments_never_exceed_ordered_quantity(shop, count_shipped_pieces):
    order = await shop.create_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 20))

    replies = await asyncio.gather(*(shop.request_shipment(order, {0: 1, 1: 1}) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 3, 422: 7}
    assert await count_shipped_pieces(shop) == 6


@pytest.mark.parametrize("end", ["failed", "returned"])
async def test_failed_or_returned_contents_can_be_shipped_again(shop, end):
    order = await shop.create_order()
    made = await shop.create_shipment(order, status="in_transit")
    assert (await shop.request_shipment(order)).status == 409

    await shop.update_shipment(made, status=end)
    again = await shop.create_shipment(order)

    assert [held["quantity"] for held in again["items"]] == [3]
