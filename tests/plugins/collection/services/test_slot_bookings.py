"""Bookings never exceed the capacity of a slot, even under concurrency."""

import asyncio
from collections import Counter

from comanda.devkit.testing import line


async def count_scheduled(store):
    """Count the orders of each time that are not cancelled, from the orders themselves."""
    orders = (await store.get("/orders?per_page=100"))["data"]
    return Counter(order["scheduled_for"] for order in orders if order["status"] != "cancelled")


async def test_orders_without_time_fill_slots_in_order(laundry, at):
    await laundry.set_hours("09:00", "10:00")
    await laundry.update_rules(slot_minutes=30, capacity=2, lead_minutes=30)

    times = [await laundry.book() for _ in range(5)]

    assert times == [at(9, 30), at(9, 30), at(9, day=8), at(9, day=8), at(9, 30, day=8)]


async def test_unlimited_slots_are_never_full(laundry, at):
    await laundry.update_rules(capacity=None)

    assert {await laundry.book(at(11)) for _ in range(6)} == {at(11)}
    assert {await laundry.book() for _ in range(6)} == {at(9, 30)}
    assert await laundry.counts() == {at(9, 30): 6, at(11): 6}


async def test_bookings_are_per_mode_and_store(client, owner, laundry, at):
    other = type(laundry)(client, owner, await owner.store("laundry"))
    other.shirt = await other.item("Shirt", 3)

    for store in (laundry, other):
        assert await store.book(at(11), mode="appointment") == at(11)
        assert await store.book(at(11)) == at(11)
    assert [await store.counts() for store in (laundry, other)] == [{at(11): 1}] * 2


async def test_longer_slots_count_earlier_bookings(laundry, at):
    await laundry.update_rules(slot_minutes=15, capacity=2)
    for when in (at(11), at(11, 15)):
        await laundry.book(when)

    await laundry.update_rules(slot_minutes=30)

    assert await laundry.counts() == {at(11): 2}
    assert (await laundry.place_slot_order(at(11)))["next_free_at"] == at(11, 30)


async def test_concurrent_orders_never_exceed_capacity(laundry, at):
    replies = await asyncio.gather(*(laundry.place_slot_order(at(11)) for _ in range(30)))

    assert Counter(reply.status for reply in replies) == {201: 4, 422: 26}
    refused = [reply for reply in replies if reply.status == 422]
    assert {reply["next_free_at"] for reply in refused} == {at(11, 15)}
    assert await count_scheduled(laundry) == await laundry.counts() == {at(11): 4}


async def test_concurrent_orders_fill_slots_without_gap(laundry, at):
    replies = await asyncio.gather(*(laundry.place_slot_order() for _ in range(30)))

    assert {reply.status for reply in replies} == {201}
    expected = {at(9, 30): 4, at(9, 45): 4, at(10): 4, at(10, 15): 4, at(10, 30): 4, at(10, 45): 4, at(11): 4}
    assert await count_scheduled(laundry) == await laundry.counts() == {**expected, at(11, 15): 2}


async def test_counts_are_exact_under_concurrency(laundry, at):
    await laundry.update_rules(capacity=2)
    soap = await laundry.item("Soap", 2, stock=100)
    standing = [(await laundry.place_slot_order()).document for _ in range(8)]

    async def cancel_and_reopen(order):
        await laundry.set_status(order["id"], "cancelled")
        return await laundry.set_status(order["id"], "preparing")

    replies = await asyncio.gather(
        *(cancel_and_reopen(order) for order in standing),
        *(laundry.place_slot_order() for _ in range(10)),
        *(laundry.place(line(soap), type="pickup_slot", scheduled_for=at(10)) for _ in range(10)),
    )

    assert {reply.status for reply in replies} <= {200, 201, 422}
    counts = await count_scheduled(laundry)
    assert counts == await laundry.counts()
    assert max(counts.values()) <= 2


async def test_concurrent_repeats_book_once(laundry, at):
    for when, mode in ((at(11), "appointment"), (None, "pickup_slot"), (at(11), "pickup_slot")):
        replies = await asyncio.gather(
            *(laundry.place_slot_order(when, mode=mode, key=f"{mode}-{when}") for _ in range(20))
        )

        assert {reply.status for reply in replies} == {201}
        assert all(reply.document == replies[0].document for reply in replies)
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    assert await laundry.counts() == {at(9, 30): 1, at(11): 1}


async def test_settings_can_change_during_bookings(laundry):
    changes = [laundry.send("PUT", "/slot-settings", {"mode": "pickup_slot", "capacity": n}) for n in range(4, 9)]

    replies = await asyncio.gather(*changes, *(laundry.place_slot_order() for _ in range(20)))

    assert {reply.status for reply in replies} == {200, 201}
    assert await count_scheduled(laundry) == await laundry.counts()
    assert max((await laundry.counts()).values()) <= 8
