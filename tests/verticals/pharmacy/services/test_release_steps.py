"""Orders that are held until a pharmacist releases them."""

import pytest
from comanda.devkit.testing import line

SENTENCE = "A pharmacist has to release this order first."
ADDRESS = "Rua das Flores 7, Porto"


@pytest.mark.parametrize("status", ["ready", "delivered", "completed"])
async def test_order_is_held_until_released(pharmacy, antibiotic, status, published):
    order = await pharmacy.order(line(antibiotic), type="in_store")
    assert order["needs_release"] is True
    assert (await pharmacy.set_status(order["id"], "preparing")).status == 200
    before = await published()

    refused = await pharmacy.set_status(order["id"], status)

    assert (refused.errors, refused["reason"]) == ({"status": [SENTENCE]}, "release_required")
    assert await pharmacy.get_status(order) == "preparing"
    assert await published() == before
    assert (await pharmacy.decide(order)).status == 200
    assert (await pharmacy.set_status(order["id"], status)).status == 200


async def test_staff_cannot_complete_a_held_order(pharmacy, antibiotic):
    member, order = await pharmacy.add_member(), await pharmacy.order(line(antibiotic), type="in_store")

    refused = await member.send("PUT", f"/orders/{order['id']}/status", {"status": "completed"})

    assert refused["reason"] == "release_required"


async def test_other_orders_are_not_held(pharmacy):
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store")

    assert "needs_release" not in order
    assert await pharmacy.list_releases() == []
    assert (await pharmacy.set_status(order["id"], "completed")).status == 200
    assert (await pharmacy.decide(order)).status == 404


@pytest.mark.parametrize("status", ["out_for_delivery", "picked_up", "delivered"])
async def test_held_order_does_not_leave_with_a_driver(pharmacy, antibiotic, status):
    order = await pharmacy.order(line(antibiotic), type="delivery", address=ADDRESS, phone="+351912345678")
    path = f"/orders/{order['id']}/delivery-status"

    refused = await pharmacy.send("PUT", path, {"delivery_status": status})

    assert (refused.errors, refused["reason"]) == ({"delivery_status": [SENTENCE]}, "release_required")
    await pharmacy.decide(order)
    assert (await pharmacy.send("PUT", path, {"delivery_status": status})).status == 200


async def test_held_order_is_not_given_to_a_carrier(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="ship", address=ADDRESS)
    path = f"/orders/{order['id']}/shipments"
    prepared = await pharmacy.send("POST", path, {"status": "label_created", "items": None})
    assert prepared.status == 201

    refused = [
        await pharmacy.send("PUT", f"/shipments/{prepared['id']}", {"status": "in_transit"}),
        await pharmacy.send("PUT", f"/shipments/{prepared['id']}", {"status": "delivered"}),
    ]
    tracked = await pharmacy.send("PUT", f"/shipments/{prepared['id']}", {"tracking_number": "T-1"})

    assert [reply["reason"] for reply in refused] == ["release_required"] * 2
    assert tracked.status == 200
    await pharmacy.decide(order)
    assert (await pharmacy.send("PUT", f"/shipments/{prepared['id']}", {"status": "in_transit"})).status == 200


async def test_shipment_of_a_held_order_does_not_begin_in_transit(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="ship", address=ADDRESS)

    refused = await pharmacy.send("POST", f"/orders/{order['id']}/shipments", {"status": "in_transit"})

    assert refused["reason"] == "release_required"
    assert (await pharmacy.get("/shipments"))["data"] == []


async def test_added_medicine_makes_a_released_order_wait_again(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="in_store")
    await pharmacy.decide(order, note="Seen")

    await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(antibiotic)]})

    assert await pharmacy.list_releases() == [order["id"]]
    release = (await pharmacy.get(f"/orders/{order['id']}/release")).document
    assert (release["note"], release["decided_by"], release["decided_at"]) == (None, None, None)
    assert (await pharmacy.set_status(order["id"], "ready"))["reason"] == "release_required"


async def test_medicine_added_to_another_order_holds_it(pharmacy, antibiotic):
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store")

    added = await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(antibiotic)]})

    assert added["needs_release"] is True
    assert await pharmacy.list_releases() == [order["id"]]
    assert (await pharmacy.set_status(order["id"], "ready"))["reason"] == "release_required"


async def test_other_item_added_keeps_the_release(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="in_store")
    await pharmacy.decide(order)

    plaster = await pharmacy.item("Plaster")
    assert (await pharmacy.send("POST", f"/orders/{order['id']}/lines", {"items": [line(plaster)]})).status == 201

    assert (await pharmacy.set_status(order["id"], "ready")).status == 200


async def test_merged_orders_wait_again(pharmacy, antibiotic):
    plaster = await pharmacy.item("Plaster")
    one = await pharmacy.order(line(plaster), type="in_store")
    other = await pharmacy.order(line(antibiotic), type="in_store")
    await pharmacy.decide(other)

    merged = await pharmacy.send("POST", f"/orders/{one['id']}/merge", {"order_id": other["id"]})

    assert merged.status == 200, merged
    assert await pharmacy.list_releases() == [one["id"]]


async def test_cancelled_order_waits_no_more_until_reopened(pharmacy, antibiotic):
    order = await pharmacy.order(line(antibiotic), type="in_store")
    await pharmacy.set_status(order["id"], "cancelled")
    assert await pharmacy.list_releases() == []

    assert (await pharmacy.set_status(order["id"], "completed"))["reason"] == "release_required"
    assert await pharmacy.get_status(order) == "cancelled"
    assert (await pharmacy.set_status(order["id"], "new")).status == 200
    assert await pharmacy.list_releases() == [order["id"]]
