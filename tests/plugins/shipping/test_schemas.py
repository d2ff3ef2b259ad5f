"""The validation of shipments."""

import pytest


@pytest.mark.parametrize("status", ["delivered", "returned", "failed", "out_for_delivery", "lost"])
async def test_final_initial_status_returns_422(shop, status):
    reply = await shop.request_shipment(await shop.create_order(), status=status)

    assert reply.errors == {"status": ["Must be one of: pending, label_created, in_transit."]}
    assert await shop.list_shipments() == []


INVALID_SHIPMENTS = [
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
]


async def test_invalid_fields_return_422(shop, subtests):
    order = await shop.create_order()

    for body, field in INVALID_SHIPMENTS:
        with subtests.test(body=body, field=field):
            reply = await shop.send("POST", f"/orders/{order['id']}/shipments", body)

            assert list(reply.errors) == [field]
            assert await shop.list_shipments() == []


async def test_unsafe_tracking_url_returns_422(shop):
    made = await shop.create_shipment(await shop.create_order())

    reply = await shop.update_shipment(made, tracking_url="data:text/html,x", status="delivered")

    assert list(reply.errors) == ["tracking_url"]
    assert (await shop.get(f"/shipments/{made['id']}")).document == made
