"""One statement for the due rows of all queues."""

from dataclasses import replace

from comanda.contracts.background.queues import LeasedQueue, QueueWork
from comanda.platform import runtime
from comanda.platform.queue.due_checks import find_due_queues


async def process(_rows):
    """Process nothing."""


def new_queue(name, table):
    return LeasedQueue(name, table, QueueWork(process))


async def test_only_queues_with_due_rows_are_found(labels):
    in_turns = new_queue("in_turns", labels.table)
    in_order = new_queue("in_order", replace(labels.table, share_by=None))
    of_others = new_queue("of_others", replace(labels.table, condition="q.text = 'other'"))
    assert await find_due_queues([in_turns, in_order, of_others]) == set()

    labels.clock.advance(seconds=60)
    await labels.add("later", owner_id=1)
    labels.clock.advance(seconds=-60)
    assert await find_due_queues([in_turns, in_order, of_others]) == set()

    await labels.add("now", owner_id=2)
    assert await find_due_queues([in_turns, in_order, of_others]) == {"in_turns", "in_order"}


async def test_rows_of_a_lease_are_not_due(labels):
    queue = new_queue("labels", labels.table)
    await labels.add("one")
    consumer = labels.new_consumer()

    await consumer.process_all_due()

    assert labels.printed == [["one"]]
    assert await find_due_queues([queue]) == set()


async def test_queues_of_all_plugins_can_be_asked(app):
    assert await find_due_queues(runtime.registry().queues) <= {queue.name for queue in runtime.registry().queues}
