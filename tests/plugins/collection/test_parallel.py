"""Many at once, on many connections: never more in a slot than it takes, and nobody waits in a circle."""

import asyncio
from collections import Counter

from comanda.devkit.testing.stores import line


def at(hour, minute=0, day=7, second=0):
    """Write a moment of January 2030; the clock stands at nine on Monday, the 7th."""
    return f"2030-01-{day:02}T{hour:02}:{minute:02}:{second:02}+00:00"


async def scheduled(store):
    """How many standing orders each time has, counted from the orders themselves."""
    orders = (await store.get("/orders?per_page=100"))["data"]
    return Counter(order["scheduled_for"] for order in orders if order["status"] != "cancelled")


async def test_thirty_orders_for_a_slot_of_four_put_four_in_it(laundry):
    replies = await asyncio.gather(*(laundry.come(at(11)) for _ in range(30)))

    assert Counter(reply.status for reply in replies) == {201: 4, 422: 26}
    refused = [reply for reply in replies if reply.status == 422]
    assert {reply["next_free_at"] for reply in refused} == {at(11, 15)}
    assert await scheduled(laundry) == await laundry.counts() == {at(11): 4}


async def test_thirty_orders_without_a_time_fill_the_next_slots_without_a_gap(laundry):
    replies = await asyncio.gather(*(laundry.come() for _ in range(30)))

    assert {reply.status for reply in replies} == {201}
    expected = {at(9, 30): 4, at(9, 45): 4, at(10): 4, at(10, 15): 4, at(10, 30): 4, at(10, 45): 4, at(11): 4}
    assert await scheduled(laundry) == await laundry.counts() == {**expected, at(11, 15): 2}


async def test_orders_with_and_without_a_time_cancelling_and_reopening_keep_the_counts_true(laundry):
    await laundry.cut(capacity=2)
    soap = await laundry.item("Soap", 2, stock=100)
    standing = [(await laundry.come()).document for _ in range(8)]

    async def waver(order):
        await laundry.set_status(order["id"], "cancelled")
        return await laundry.set_status(order["id"], "preparing")

    replies = await asyncio.gather(
        *(waver(order) for order in standing),
        *(laundry.come() for _ in range(10)),
        *(laundry.place(line(soap), type="pickup_slot", scheduled_for=at(10)) for _ in range(10)),
    )

    assert {reply.status for reply in replies} <= {200, 201, 422}
    counts = await scheduled(laundry)
    assert counts == await laundry.counts()
    assert max(counts.values()) <= 2


async def test_twenty_repeats_of_one_order_at_once_make_one_order_in_one_slot(laundry):
    for when, mode in ((at(11), "appointment"), (None, "pickup_slot"), (at(11), "pickup_slot")):
        replies = await asyncio.gather(*(laundry.come(when, mode=mode, key=f"{mode}-{when}") for _ in range(20)))

        assert {reply.status for reply in replies} == {201}
        assert all(reply.document == replies[0].document for reply in replies)
    assert await laundry.counts(mode="appointment") == {at(11): 1}
    assert await laundry.counts() == {at(9, 30): 1, at(11): 1}


async def test_settings_that_change_while_orders_come_hold_nobody_up(laundry):
    changes = [laundry.send("PUT", "/slot-settings", {"mode": "pickup_slot", "capacity": n}) for n in range(4, 9)]

    replies = await asyncio.gather(*changes, *(laundry.come() for _ in range(20)))

    assert {reply.status for reply in replies} == {200, 201}
    assert await scheduled(laundry) == await laundry.counts()
    assert max((await laundry.counts()).values()) <= 8
