"""The status transitions of a shipment."""

import pytest
from comanda_shipping.models import ShipmentStatus

ALLOWED = {
    "pending": {"label_created", "in_transit", "out_for_delivery", "delivered", "failed"},
    "label_created": {"in_transit", "out_for_delivery", "delivered", "failed"},
    "in_transit": {"out_for_delivery", "delivered", "returned", "failed"},
    "out_for_delivery": {"in_transit", "delivered", "returned", "failed"},
    "delivered": {"returned"},
    "returned": set(),
    "failed": {"returned"},
}


# How a shipment comes into each state.
WAYS = {
    "pending": [],
    "label_created": ["label_created"],
    "in_transit": ["in_transit"],
    "out_for_delivery": ["out_for_delivery"],
    "delivered": ["delivered"],
    "returned": ["in_transit", "returned"],
    "failed": ["in_transit", "failed"],
}


@pytest.mark.parametrize("old", [status.value for status in ShipmentStatus])
async def test_only_allowed_transitions_are_accepted(shop, old):
    for new in (status.value for status in ShipmentStatus):
        made = await shop.create_shipment(await shop.create_order())
        for step in WAYS[old]:
            assert (await shop.update_shipment(made, status=step)).status == 200
        before = (await shop.get(f"/shipments/{made['id']}")).document

        reply = await shop.update_shipment(made, status=new, carrier="Another")

        if new == old or new in ALLOWED[old]:
            assert (reply.status, reply["status"], reply["carrier"]) == (200, new, "Another"), (old, new)
        else:
            assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "status"), (old, new)
            assert (await shop.get(f"/shipments/{made['id']}")).document == before


async def test_unshipped_parcel_cannot_be_returned(shop):
    made = await shop.create_shipment(await shop.create_order())
    await shop.update_shipment(made, status="failed")

    reply = await shop.update_shipment(made, status="returned")

    assert (reply.status, reply["message"]) == (409, "A shipment that is failed cannot become returned.")


async def test_shipped_and_delivered_are_dated_once(shop, clock):
    made = await shop.create_shipment(await shop.create_order())
    clock.advance(hours=1)
    left = (await shop.update_shipment(made, status="in_transit"))["shipped_at"]
    clock.advance(hours=1)
    await shop.update_shipment(made, status="out_for_delivery")
    arrived = await shop.update_shipment(made, status="delivered")

    assert made["created_at"] < left < arrived["delivered_at"]
    assert arrived["shipped_at"] == left
    returned = await shop.update_shipment(made, status="returned")
    assert (returned["shipped_at"], returned["delivered_at"]) == (left, arrived["delivered_at"])
