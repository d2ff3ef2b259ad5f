"""Shipments on their way: which state may follow which, and what cancelling the order does."""

import asyncio

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
async def test_a_state_is_followed_by_those_that_can_follow_and_no_other(shop, old):
    for new in (status.value for status in ShipmentStatus):
        made = await shop.shipment(await shop.shipped_order())
        for step in WAYS[old]:
            assert (await shop.change(made, status=step)).status == 200
        before = (await shop.get(f"/shipments/{made['id']}")).document

        reply = await shop.change(made, status=new, carrier="Another")

        if new == old or new in ALLOWED[old]:
            assert (reply.status, reply["status"], reply["carrier"]) == (200, new, "Another"), (old, new)
        else:
            assert (reply.status, reply["code"], reply["reason"]) == (409, "conflict", "status"), (old, new)
            assert (await shop.get(f"/shipments/{made['id']}")).document == before


async def test_what_never_left_cannot_come_back(shop):
    made = await shop.shipment(await shop.shipped_order())
    await shop.change(made, status="failed")

    reply = await shop.change(made, status="returned")

    assert (reply.status, reply["message"]) == (409, "A shipment that is failed cannot become returned.")


async def test_leaving_and_arriving_are_dated_once(shop, clock):
    made = await shop.shipment(await shop.shipped_order())
    clock.advance(hours=1)
    left = (await shop.change(made, status="in_transit"))["shipped_at"]
    clock.advance(hours=1)
    await shop.change(made, status="out_for_delivery")
    arrived = await shop.change(made, status="delivered")

    assert made["created_at"] < left < arrived["delivered_at"]
    assert arrived["shipped_at"] == left
    returned = await shop.change(made, status="returned")
    assert (returned["shipped_at"], returned["delivered_at"]) == (left, arrived["delivered_at"])


async def test_a_change_of_nothing_changes_nothing(shop):
    made = await shop.shipment(await shop.shipped_order(), carrier="Correio")

    for body in ({}, {"status": "pending"}, {"status": None}, {"carrier": "Correio"}):
        assert (await shop.change(made, **body)).document == made


async def test_fields_left_out_stay_and_null_clears(shop):
    made = await shop.shipment(await shop.shipped_order(), carrier="Correio", tracking_url="http://parcels.example/1")

    changed = await shop.change(made, tracking_url=None, tracking_number="7")

    assert (changed["carrier"], changed["tracking_number"], changed["tracking_url"]) == ("Correio", "7", None)


async def test_a_tracking_address_that_no_browser_should_open_is_refused(shop):
    made = await shop.shipment(await shop.shipped_order())

    reply = await shop.change(made, tracking_url="data:text/html,x", status="delivered")

    assert list(reply.errors) == ["tracking_url"]
    assert (await shop.get(f"/shipments/{made['id']}")).document == made


@pytest.mark.parametrize("end", ["failed", "returned"])
async def test_what_failed_or_came_back_can_be_shipped_again(shop, end):
    order = await shop.shipped_order()
    made = await shop.shipment(order, status="in_transit")
    assert (await shop.ship(order)).status == 409

    await shop.change(made, status=end)
    again = await shop.shipment(order)

    assert [held["quantity"] for held in again["items"]] == [3]


async def test_cancelling_an_order_stops_what_has_not_left(shop):
    order = await shop.shipped_order()
    made = [await shop.shipment(order, {0: 1}, status=each) for each in ("pending", "label_created", "in_transit")]

    assert (await shop.set_status(order["id"], "cancelled")).status == 200

    now = {each["id"]: each for each in await shop.shipments()}
    assert [now[each["id"]]["status"] for each in made] == ["failed", "failed", "in_transit"]
    assert now[made[2]["id"]] == made[2]
    assert (await shop.change(made[2], status="returned")).status == 200


async def test_a_cancelled_order_is_not_shipped_until_it_is_reopened(shop):
    order = await shop.shipped_order()
    await shop.set_status(order["id"], "cancelled")

    refused = await shop.ship(order)

    assert (refused.status, refused["reason"]) == (409, "cancelled")
    assert await shop.shipments() == []
    await shop.set_status(order["id"], "preparing")
    assert (await shop.ship(order)).status == 201


async def test_cancelling_and_shipping_at_once_leave_nothing_ready_to_go(shop):
    for _ in range(5):
        order = await shop.shipped_order()

        await asyncio.gather(shop.set_status(order["id"], "cancelled"), *(shop.ship(order, {0: 1}) for _ in range(3)))

        query = f"?order_id={order['id']}"
        assert {each["status"] for each in await shop.shipments(query)} <= {"failed"}


async def test_a_shipment_changes_no_order_and_announces_nothing(shop, published):
    order = await shop.shipped_order()
    before = await published()

    made = await shop.shipment(order)
    await shop.change(made, status="delivered")

    assert (await shop.get(f"/orders/{order['id']}"))["status"] == "new"
    assert await published() == before
