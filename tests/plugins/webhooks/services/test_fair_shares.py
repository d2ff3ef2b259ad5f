"""Slow receivers take their owner's share, and delay nobody else."""

import asyncio

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, await_condition, create_test_owner
from comanda_webhooks import settings
from comanda_webhooks.client import HttpReceiver

SLOW_OWNERS = 5
EVENTS = 40


@pytest.fixture
async def patient_receiver(app):
    """Return a receiver whose requests do not time out during a test."""
    async with HttpReceiver(allowed=settings.get_allowed_targets(), timeout_seconds=2 * MAX_WAIT_SECONDS) as receiver:
        yield receiver


async def test_five_slow_owners_do_not_delay_the_sixth(
    new_inbox, create_endpoint, emit_events, patient_receiver, sender, new_consumer, owner
):
    slow = [await new_inbox() for _ in range(SLOW_OWNERS)]
    for inbox in slow:
        slow_owner = await create_test_owner()
        inbox.is_open.clear()
        await create_endpoint(inbox.url, auth=slow_owner.auth)
        await emit_events(count=200, of=slow_owner)
    quick = await new_inbox()
    await create_endpoint(quick.url)
    consumer = new_consumer(patient_receiver)
    running = asyncio.create_task(consumer.run())
    for inbox in slow:
        await inbox.wait_for(1)

    for number in range(EVENTS):
        await emit_events()
        consumer.wake()
        await quick.wait_for(number + 1)

    # None of the slow receivers has answered, and none of their requests has ended.
    assert [inbox.in_flight for inbox in slow] == [len(inbox.received) for inbox in slow]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


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

    async def is_all_received():
        # As a worker does that finds due rows.
        consumer.wake()
        return all(len(inbox.received) >= 20 for inbox in slow)

    running = asyncio.create_task(consumer.run())

    await quick.wait_for(20)
    in_flight = sum(inbox.in_flight for inbox in slow)
    for inbox in slow:
        inbox.is_open.set()
    await await_condition(is_all_received, "all deliveries of the slow receivers")

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    # All slow receivers got their turn once there was room, and what the owner may have at once was never exceeded.
    assert in_flight <= 8
    assert [len(inbox.received) for inbox in slow] == [20] * 6
