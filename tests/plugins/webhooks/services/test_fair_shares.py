"""Slow receivers take their owner's share, and delay nobody else."""

import asyncio
import time
from statistics import median

from comanda.devkit.testing.callers import create_test_owner

SLOW_OWNERS = 5
EVENTS = 40


async def test_five_slow_owners_do_not_delay_the_sixth(
    new_inbox, create_endpoint, emit_events, receiver, sender, new_consumer, owner
):
    slow_owners = [await create_test_owner() for _ in range(SLOW_OWNERS)]
    for slow in slow_owners:
        inbox = await new_inbox()
        inbox.is_open.clear()
        await create_endpoint(inbox.url, auth=slow.auth)
        await emit_events(count=200, of=slow)
    quick = await new_inbox()
    await create_endpoint(quick.url)
    consumer = new_consumer(receiver)
    running = asyncio.create_task(consumer.run())
    await asyncio.sleep(0.5)
    waits = []

    for number in range(EVENTS):
        began = time.perf_counter()
        await emit_events()
        consumer.wake()
        await quick.wait_for(number + 1)
        waits.append(time.perf_counter() - began)

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert median(waits) < 0.1


async def test_one_owner_has_a_bounded_number_of_requests(
    new_inbox, create_endpoint, emit_events, receiver, sender, new_consumer, owner, other_owner
):
    slow = [await new_inbox() for _ in range(6)]
    for inbox in slow:
        inbox.is_open.clear()
        await create_endpoint(inbox.url)
    await emit_events(count=20)
    quick = await new_inbox()
    await create_endpoint(quick.url, auth=other_owner.auth)
    await emit_events(count=20, of=other_owner)
    consumer = new_consumer(receiver, max_in_flight=20, max_per_owner=8)
    running = asyncio.create_task(consumer.run())

    await quick.wait_for(20)
    in_flight = sum(inbox.in_flight for inbox in slow)
    for inbox in slow:
        inbox.is_open.set()
    for inbox in slow:
        await inbox.wait_for(20)

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    # All slow receivers got their turn once there was room, and what the owner may have at once was never exceeded.
    assert in_flight <= 8
    assert [len(inbox.received) for inbox in slow] == [20] * 6
