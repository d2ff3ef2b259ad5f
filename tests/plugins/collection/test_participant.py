"""Orders in slots: the time they request, the time they get, cancelling and reopening."""

from datetime import datetime

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def test_order_without_time_gets_first_slot_after_notice(laundry, at):
    await laundry.set_hours("08:00", "18:00")

    assert await laundry.book() == at(9, 30)
    assert await laundry.book(mode="appointment") == at(10)
    assert await laundry.counts() == {at(9, 30): 1}
    assert await laundry.counts(mode="appointment") == {at(10): 1}


async def test_requested_slot_accepts_any_offset(laundry, at):
    assert await laundry.book("2030-01-07T13:15:00+02:00") == at(11, 15)
    order = (await laundry.place_slot_order(at(11, 15))).document
    assert (await laundry.get(f"/orders/{order['id']}"))["scheduled_for"] == at(11, 15)
    assert await laundry.counts() == {at(11, 15): 2}


async def test_time_error_is_reported_with_other_errors(laundry, at):
    refused = await laundry.place({"item_id": 1}, type="pickup_slot", scheduled_for=at(8))

    assert set(refused.errors) == {"items.0.item_id", "scheduled_for"}


async def test_cancelling_releases_slot_and_reopening_restores_it(laundry, at):
    order = (await laundry.place_slot_order(at(11), mode="appointment")).document
    assert (await laundry.place_slot_order(at(11), mode="appointment")).status == 422

    await laundry.set_status(order["id"], "cancelled")
    assert await laundry.counts(mode="appointment") == {}
    assert (await laundry.set_status(order["id"], "preparing")).status == 200
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    await laundry.set_status(order["id"], "cancelled")
    assert await laundry.book(at(11), mode="appointment") == at(11)


async def test_reopening_is_refused_if_slot_is_full(laundry, published, at):
    order = (await laundry.place_slot_order(at(11), mode="appointment")).document
    await laundry.set_status(order["id"], "cancelled")
    await laundry.book(at(11), mode="appointment")
    before = await published()

    refused = await laundry.set_status(order["id"], "new")

    sentence = "The order cannot be reopened: its slot has been taken by other orders."
    assert (refused.errors, refused["reason"]) == ({"status": [sentence]}, "slot_full")
    assert (await laundry.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    assert await published() == before


async def test_past_order_is_reopened_regardless_of_capacity(laundry, clock, at):
    order = (await laundry.place_slot_order(at(11), mode="appointment")).document
    await laundry.set_status(order["id"], "cancelled")
    await laundry.book(at(11), mode="appointment")
    clock.set(datetime.fromisoformat(at(11, 5)))

    assert (await laundry.set_status(order["id"], "completed")).status == 200
    assert await laundry.counts(mode="appointment") == {at(11): 2}


async def test_repeated_order_books_once(laundry, clock, at):
    first = await laundry.place_slot_order(at(11), mode="appointment", key="k")
    again = await laundry.place_slot_order(at(11), mode="appointment", key="k")
    clock.set(datetime.fromisoformat(at(12)))
    late = await laundry.place_slot_order(at(11), mode="appointment", key="k")

    assert again.document == late.document == first.document
    assert await laundry.counts(mode="appointment") == {at(11): 1}


async def test_refused_order_books_nothing(laundry, at):
    soap = await laundry.item("Soap", 2, stock=1)

    refused = await laundry.place(line(soap, 2), type="pickup_slot", scheduled_for=at(11))

    assert refused.errors == {"items.0.item_id": ["There is not enough of Soap left."]}
    assert await laundry.counts() == {}


async def test_stores_without_slots_are_unaffected(store):
    soup = await store.item("Soup", 5)

    order = await store.order(line(soup), scheduled_for="2001-01-01T00:00:07+00:00")

    assert order["scheduled_for"] == "2001-01-01T00:00:07+00:00"
    assert await sql.fetch_value("SELECT count(*) FROM collection_slot WHERE store_id = $1", store.id) == 0
