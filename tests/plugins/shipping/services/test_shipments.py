"""Creating and updating shipments."""

import asyncio
from collections import Counter

from comanda.devkit.testing import line


async def test_shipment_without_any_address_returns_422(shop):
    order = await shop.create_order(address=None)

    for address in (None, "", "  "):
        reply = await shop.request_shipment(order, address=address)

        assert reply.errors == {"address": ["An address is required because this order has none."]}
    assert await shop.list_shipments() == []
    assert (await shop.get(f"/orders/{order['id']}"))["address_missing"] is True


async def test_first_shipment_sets_address_of_order(shop):
    order = await shop.create_order(address=None)

    first = await shop.create_shipment(order, {0: 1}, address="Praça 1")
    second = await shop.create_shipment(order, {0: 1})

    assert (first["address"], second["address"]) == ("Praça 1", "Praça 1")
    now = await shop.get(f"/orders/{order['id']}")
    assert (now["address"], now["address_missing"]) == ("Praça 1", False)


async def test_second_address_applies_to_that_shipment_only(shop):
    order = await shop.create_order()

    gift = await shop.create_shipment(order, {0: 1}, address="At my sister's")
    rest = await shop.create_shipment(order)

    assert (gift["address"], rest["address"]) == ("At my sister's", "Rua das Flores 7, Porto")
    assert (await shop.get(f"/orders/{order['id']}"))["address"] == "Rua das Flores 7, Porto"


async def test_refused_shipment_sets_no_address(shop):
    order = await shop.create_order(address=None)

    reply = await shop.request_shipment(order, {0: 4}, address="Praça 1")

    assert reply.status == 422
    now = await shop.get(f"/orders/{order['id']}")
    assert (now["address"], now["address_missing"]) == (None, True)


TRACKED = {
    "carrier": "Correio Azul",
    "service": "Registered",
    "tracking_number": "RR123456785PT",
    "tracking_url": "https://parcels.example/RR123456785PT",
}


async def test_shipment_without_items_contains_whole_order(shop, clock):
    lamp, bulb = await shop.item("Lamp", 20), await shop.item("Bulb", 3)
    order = await shop.create_order(line(lamp, 2), line(bulb, 4))

    made = await shop.create_shipment(order, **TRACKED)

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


async def test_shipped_at_is_set_for_initial_in_transit(shop):
    made = await shop.create_shipment(await shop.create_order(), status="in_transit")

    assert (made["status"], made["shipped_at"], made["delivered_at"]) == ("in_transit", made["created_at"], None)


async def test_only_orders_of_type_ship_are_shipped(shop):
    order = await shop.order(line(await shop.item()))

    reply = await shop.request_shipment(order, address="Praça 1")

    assert reply.errors == {"type": ["Only orders of type ship can be shipped. This one is takeaway."]}
    assert await shop.list_shipments() == []
    assert (await shop.get(f"/orders/{order['id']}"))["address"] is None


async def test_repeated_key_returns_first_shipment(shop, count_shipped_pieces):
    order = await shop.create_order()
    made = await shop.create_shipment(order, {0: 1}, key="k")
    await shop.update_shipment(made, status="label_created")

    same = await shop.request_shipment(order, {0: 1}, key="k")
    other = await shop.request_shipment(order, {0: 99}, key="k")

    assert (same.status, same["id"], same["status"]) == (201, made["id"], "label_created")
    assert same.headers["idempotent-replayed"] == "true"
    assert "idempotency-mismatch" not in same.headers
    assert (other.status, other["id"], other.headers["idempotency-mismatch"]) == (201, made["id"], "true")
    assert await count_shipped_pieces(shop) == 1


async def test_key_belongs_to_one_order_and_survives_refusal(shop):
    order, other = await shop.create_order(), await shop.create_order()
    assert (await shop.request_shipment(order, {0: 4}, key="k")).status == 422

    first, second = (
        await shop.request_shipment(order, {0: 1}, key="k"),
        await shop.request_shipment(other, {0: 1}, key="k"),
    )

    assert (first.status, second.status, first["order_id"], second["order_id"]) == (201, 201, order["id"], other["id"])


async def test_concurrent_requests_with_one_key_create_one_shipment(shop, count_shipped_pieces):
    order = await shop.create_order(address=None)

    replies = await asyncio.gather(
        *(shop.request_shipment(order, {0: 1}, key="k", address="Praça 1") for _ in range(10))
    )

    assert Counter(reply.status for reply in replies) == {201: 10}
    assert all(reply.document == replies[0].document for reply in replies)
    assert sum("idempotent-replayed" in reply.headers for reply in replies) == 9
    assert await count_shipped_pieces(shop) == 1


async def test_unchanged_update_has_no_effect(shop):
    made = await shop.create_shipment(await shop.create_order(), carrier="Correio")

    for body in ({}, {"status": "pending"}, {"status": None}, {"carrier": "Correio"}):
        assert (await shop.update_shipment(made, **body)).document == made


async def test_omitted_fields_stay_and_null_clears(shop):
    made = await shop.create_shipment(
        await shop.create_order(), carrier="Correio", tracking_url="http://parcels.example/1"
    )

    changed = await shop.update_shipment(made, tracking_url=None, tracking_number="7")

    assert (changed["carrier"], changed["tracking_number"], changed["tracking_url"]) == ("Correio", "7", None)


async def test_shipment_changes_no_order_and_emits_nothing(shop, published):
    order = await shop.create_order()
    before = await published()

    made = await shop.create_shipment(order)
    await shop.update_shipment(made, status="delivered")

    assert (await shop.get(f"/orders/{order['id']}"))["status"] == "new"
    assert await published() == before
