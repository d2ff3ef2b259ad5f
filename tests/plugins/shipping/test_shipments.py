"""Shipments: what they hold, what is left, repeats, lists, and many at once."""

import asyncio
from collections import Counter

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore, line

TRACKED = {
    "carrier": "Correio Azul",
    "service": "Registered",
    "tracking_number": "RR123456785PT",
    "tracking_url": "https://parcels.example/RR123456785PT",
}


async def pieces(shop):
    statement = """SELECT coalesce(sum(h.quantity), 0)::int FROM shipping_shipment_line h
                   JOIN shipping_shipment s ON s.id = h.shipment_id WHERE s.store_id = $1"""
    return await sql.fetch_value(statement, shop.id)


async def test_a_shipment_without_items_holds_the_whole_order(shop, clock):
    lamp, bulb = await shop.item("Lamp", 20), await shop.item("Bulb", 3)
    order = await shop.shipped_order(line(lamp, 2), line(bulb, 4))

    made = await shop.shipment(order, **TRACKED)

    assert made == {
        "id": made["id"],
        "order_id": order["id"],
        **TRACKED,
        "status": "pending",
        "address": "Rua das Flores 7, Porto",
        "shipped_at": None,
        "delivered_at": None,
        "items": [
            {"order_line_id": order["items"][0]["id"], "item_id": lamp["id"], "name": "Lamp", "quantity": 2},
            {"order_line_id": order["items"][1]["id"], "item_id": bulb["id"], "name": "Bulb", "quantity": 4},
        ],
        "created_at": clock().isoformat(),
        "updated_at": clock().isoformat(),
    }
    assert (await shop.get(f"/shipments/{made['id']}")).document == made


async def test_a_shipment_of_what_has_left_already_says_when(shop):
    made = await shop.shipment(await shop.shipped_order(), status="in_transit")

    assert (made["status"], made["shipped_at"], made["delivered_at"]) == ("in_transit", made["created_at"], None)


@pytest.mark.parametrize("status", ["delivered", "returned", "failed", "out_for_delivery", "lost"])
async def test_no_shipment_begins_at_its_end(shop, status):
    reply = await shop.ship(await shop.shipped_order(), status=status)

    assert reply.errors == {"status": ["Must be one of: pending, label_created, in_transit."]}
    assert await shop.shipments() == []


async def test_an_order_travels_in_parts_and_the_last_takes_what_is_left(shop):
    order = await shop.shipped_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 2))

    first = await shop.shipment(order, {0: 1})
    second = await shop.shipment(order, {0: 1, 1: 1})
    rest = await shop.shipment(order)
    nothing = await shop.ship(order)

    held = [[(held["name"], held["quantity"]) for held in made["items"]] for made in (first, second, rest)]
    assert held == [[("Lamp", 1)], [("Lamp", 1), ("Bulb", 1)], [("Lamp", 1), ("Bulb", 1)]]
    assert (nothing.status, nothing["reason"]) == (409, "shipped")
    assert await pieces(shop) == 5


async def test_a_line_without_a_quantity_takes_what_is_left_of_it(shop):
    order = await shop.shipped_order()
    await shop.shipment(order, {0: 1})

    reply = await shop.ship(order, {0: None})

    assert [held["quantity"] for held in reply["items"]] == [2]


async def test_more_than_is_left_of_a_line_is_refused_whole(shop):
    order = await shop.shipped_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 2))
    await shop.shipment(order, {0: 2, 1: 2})

    reply = await shop.ship(order, {0: 2, 1: None})

    assert reply.errors == {
        "items.0.quantity": ["Of Lamp, 1 are left to ship."],
        "items.1.quantity": ["Of Bulb, 0 are left to ship."],
    }
    assert await pieces(shop) == 4


async def test_a_line_named_twice_or_of_another_order_is_refused(shop):
    order, other = await shop.shipped_order(), await shop.shipped_order()
    mine, foreign = order["items"][0]["id"], other["items"][0]["id"]
    body = {"items": [{"order_line_id": mine, "quantity": 1}] * 2 + [{"order_line_id": foreign, "quantity": 1}]}

    reply = await shop.send("POST", f"/orders/{order['id']}/shipments", body)

    assert reply.errors == {
        "items.1.order_line_id": ["Name Lamp once, with all its pieces."],
        "items.2.order_line_id": [f"This order has no line {foreign}."],
    }
    assert await shop.shipments() == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"items": []}, "items"),
        ({"items": [{}]}, "items.0.order_line_id"),
        ({"items": [{"order_line_id": 1, "quantity": 0}]}, "items.0.quantity"),
        ({"items": [{"order_line_id": 1, "quantity": 1.5}]}, "items.0.quantity"),
        ({"carrier": "x" * 101}, "carrier"),
        ({"tracking_number": 5}, "tracking_number"),
        ({"address": "x" * 501}, "address"),
        ({"tracking_url": "javascript:alert(1)"}, "tracking_url"),
        ({"tracking_url": "ftp://parcels.example/1"}, "tracking_url"),
        ({"tracking_url": "https://"}, "tracking_url"),
        ({"tracking_url": "https://a b.example"}, "tracking_url"),
        ({"tracking_url": "https://[1"}, "tracking_url"),
        ({"tracking_url": ""}, "tracking_url"),
    ],
)
async def test_fields_that_will_not_do_are_named(shop, body, field):
    order = await shop.shipped_order()

    reply = await shop.send("POST", f"/orders/{order['id']}/shipments", body)

    assert list(reply.errors) == [field]
    assert await shop.shipments() == []


async def test_only_orders_to_be_shipped_are_shipped(shop):
    order = await shop.order(line(await shop.item()))

    reply = await shop.ship(order, address="Praça 1")

    assert reply.errors == {"type": ["Only orders of the type ship are shipped; this one is takeaway."]}
    assert await shop.shipments() == []
    assert (await shop.get(f"/orders/{order['id']}"))["address"] is None


async def test_a_repeated_key_answers_with_the_first_shipment_as_it_is_now(shop):
    order = await shop.shipped_order()
    made = await shop.shipment(order, {0: 1}, key="k")
    await shop.change(made, status="label_created")

    same = await shop.ship(order, {0: 1}, key="k")
    other = await shop.ship(order, {0: 99}, key="k")

    assert (same.status, same["id"], same["status"]) == (201, made["id"], "label_created")
    assert same.headers["idempotent-replayed"] == "true"
    assert "idempotency-mismatch" not in same.headers
    assert (other.status, other["id"], other.headers["idempotency-mismatch"]) == (201, made["id"], "true")
    assert await pieces(shop) == 1


async def test_a_key_is_of_one_order_and_a_refusal_uses_none_up(shop):
    order, other = await shop.shipped_order(), await shop.shipped_order()
    assert (await shop.ship(order, {0: 4}, key="k")).status == 422

    first, second = await shop.ship(order, {0: 1}, key="k"), await shop.ship(other, {0: 1}, key="k")

    assert (first.status, second.status, first["order_id"], second["order_id"]) == (201, 201, order["id"], other["id"])


@pytest.mark.parametrize("key", ["", "a b", "x" * 256])
async def test_an_unusable_key_is_refused(shop, key):
    reply = await shop.ship(await shop.shipped_order(), key=key)

    assert list(reply.errors) == ["Idempotency-Key"]
    assert await shop.shipments() == []


async def test_an_order_shows_its_newest_shipment_that_is_well(shop):
    order = await shop.shipped_order()
    path = f"/orders/{order['id']}/shipment"
    assert (await shop.send("GET", path)).status == 404
    first, second = await shop.shipment(order, {0: 1}), await shop.shipment(order, {0: 1})

    assert ((await shop.get(path))["id"], (await shop.get(path))["shipments_count"]) == (second["id"], 2)
    await shop.change(second, status="failed")
    assert (await shop.get(path))["id"] == first["id"]
    await shop.change(first, status="failed")
    assert ((await shop.get(path))["id"], (await shop.get(path))["shipments_count"]) == (second["id"], 2)


async def test_shipments_are_listed_newest_first_by_status_and_order(shop):
    order, other = await shop.shipped_order(), await shop.shipped_order()
    first = await shop.shipment(order, {0: 1})
    second = await shop.shipment(order, {0: 1}, status="in_transit")
    third = await shop.shipment(other)

    async def listed(query=""):
        return [each["id"] for each in await shop.shipments(query)]

    assert await listed() == [third["id"], second["id"], first["id"]]
    assert await listed("?status=pending") == [third["id"], first["id"]]
    assert await listed(f"?order_id={order['id']}&status=in_transit") == [second["id"]]
    page = await shop.get("/shipments?per_page=2&page=2")
    assert ([each["id"] for each in page["data"]], page["total"], page["last_page"]) == ([first["id"]], 3, 2)
    assert list((await shop.send("GET", "/shipments?status=gone&order_id=x")).errors) == ["status", "order_id"]


async def test_ten_at_once_ship_the_last_piece_once(shop):
    order = await shop.shipped_order()
    await shop.shipment(order, {0: 2})

    replies = await asyncio.gather(*(shop.ship(order, {0: 1}) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 1, 409: 9}
    assert await pieces(shop) == 3


async def test_ten_at_once_ship_no_more_of_any_line_than_was_ordered(shop):
    order = await shop.shipped_order(line(await shop.item("Lamp"), 3), line(await shop.item("Bulb"), 20))

    replies = await asyncio.gather(*(shop.ship(order, {0: 1, 1: 1}) for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 3, 422: 7}
    assert await pieces(shop) == 6


async def test_ten_at_once_with_one_key_make_one_shipment(shop):
    order = await shop.shipped_order(address=None)

    replies = await asyncio.gather(*(shop.ship(order, {0: 1}, key="k", address="Praça 1") for _ in range(10)))

    assert Counter(reply.status for reply in replies) == {201: 10}
    assert all(reply.document == replies[0].document for reply in replies)
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 9
    assert await pieces(shop) == 1


async def test_through_another_store_of_the_same_owner_nothing_is_found(shop, owner, client):
    order = await shop.shipped_order()
    made = await shop.shipment(order, {0: 1})
    other = TestStore(client, owner, await owner.store("mail_order"))
    calls = [
        ("GET", f"/shipments/{made['id']}", None),
        ("PUT", f"/shipments/{made['id']}", {"status": "delivered"}),
        ("GET", f"/orders/{order['id']}/shipment", None),
        ("POST", f"/orders/{order['id']}/shipments", {}),
    ]

    replies = [await other.send(*call) for call in calls]

    assert [reply.status for reply in replies] == [404] * 4
    assert (await other.get("/shipments"))["total"] == 0
    assert await shop.shipments() == [made]
