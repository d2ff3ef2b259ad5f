"""Consumers of a queue: batches, retries, dead letters, turns, deadlines."""

import asyncio

from comanda.contracts.background.queues import QueueLimits, RowResult
from comanda.platform.db import sql
from comanda.platform.queue.consumer import get_gathering_seconds
from comanda.platform.queue.leases import measure_queue


async def test_rows_are_processed_in_batches(labels):
    await labels.add("a", "b", "c")

    assert await labels.new_consumer(batch_size=2).process_all_due() == 3

    assert sorted(text for batch in labels.printed for text in batch) == ["a", "b", "c"]
    assert max(map(len, labels.printed)) == 2
    assert [(row["print_at"], row["leased_until"], row["attempts"]) for row in await labels.read()] == [
        (None, None, 0)
    ] * 3


async def test_failed_row_is_retried_and_then_given_up(labels, clock):
    async def jam(_rows):
        raise ConnectionError("paper jam")

    labels.print = jam
    await labels.add("a")
    consumer = labels.new_consumer()
    waits = []

    for _ in range(2):
        assert await consumer.process_all_due() == 1
        [row] = await labels.read()
        waits.append((row["print_at"] - clock()).total_seconds())
        assert await consumer.process_all_due() == 0
        clock.set(row["print_at"])
    assert await consumer.process_all_due() == 1

    [row] = await labels.read()
    state = await measure_queue(labels.table)
    assert waits == [10, 60]
    assert (row["print_at"], row["attempts"], row["last_error"]) == (None, 3, "ConnectionError('paper jam')")
    assert row["given_up_at"] is not None
    assert (state.waiting, state.dead) == (0, 1)


async def test_each_row_of_batch_has_its_own_result(labels):
    async def print_some(_rows):
        return [RowResult.DONE, ValueError("too long"), RowResult.RELEASED]

    labels.print = print_some
    await labels.add("a", "b", "c")

    consumer = labels.new_consumer(batch_size=3, max_in_flight=1)
    await consumer.claim()
    await asyncio.wait(consumer._calls)

    found = {
        row["text"]: (row["print_at"] is None, row["attempts"], row["leased_until"]) for row in await labels.read()
    }
    assert found == {"a": (True, 0, None), "b": (False, 1, None), "c": (False, 0, None)}


async def test_result_after_lost_lease_changes_nothing(labels, clock):
    release = asyncio.Event()

    async def wait(_rows):
        await release.wait()
        raise ValueError("late")

    labels.print = wait
    await labels.add("a")
    late = labels.new_consumer(deadline_seconds=60)
    await late.claim()
    calls = set(late._calls)
    await asyncio.sleep(0)  # the call has begun
    clock.advance(seconds=80)
    labels.print = labels.record
    assert await labels.new_consumer().process_all_due() == 1
    release.set()
    await asyncio.wait(calls)

    [row] = await labels.read()
    assert (row["print_at"], row["attempts"], row["last_error"]) == (None, 0, None)
    assert labels.printed == [["a"]]


async def test_hanging_call_fails_at_its_deadline(labels):
    async def hang(_rows):
        await asyncio.Event().wait()

    labels.print = hang
    await labels.add("a")

    await labels.new_consumer(deadline_seconds=0.05).process_all_due()

    [row] = await labels.read()
    assert (row["attempts"], row["last_error"]) == (1, "TimeoutError()")


async def test_owners_take_turns(labels):
    await labels.add(*(f"first {number}" for number in range(20)), owner_id=1)
    await labels.add("second", owner_id=2)
    consumer = labels.new_consumer(max_in_flight=4, max_per_share=2)

    assert await consumer.claim() == 3

    await asyncio.wait(consumer._calls)
    assert ["second"] in labels.printed


async def test_rows_that_wait_for_later_hide_no_due_one(labels, clock):
    for owner_id in range(1, 9):
        await labels.add("later", owner_id=owner_id)
    labels.print = labels.record
    consumer = labels.new_consumer(max_in_flight=2)
    await asyncio.gather(*(later(labels, owner_id) for owner_id in range(1, 9)))
    await labels.add("now", owner_id=9)

    assert await consumer.process_all_due() == 1
    assert labels.printed == [["now"]]


async def later(labels, owner_id):
    await sql.execute("UPDATE test_label SET print_at = print_at + interval '1 hour' WHERE owner_id = $1", owner_id)


async def test_stopping_releases_what_was_not_started(labels):
    started = asyncio.Event()

    async def wait(_rows):
        started.set()
        await asyncio.Event().wait()

    labels.print = wait
    await labels.add("a", "b", "c")
    consumer = labels.new_consumer(max_in_flight=1, max_claimed_ahead=3)
    task = asyncio.create_task(consumer.run())
    await started.wait()

    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert [row["leased_until"] is None for row in await labels.read()] == [False, True, True]


async def test_stopping_finishes_what_was_started_and_starts_nothing_more(labels):
    started, may_end = asyncio.Event(), asyncio.Event()

    async def print_slowly(rows):
        await labels.record(rows)
        started.set()
        await may_end.wait()

    labels.print = print_slowly
    await labels.add("a", "b")
    task = asyncio.create_task(labels.new_consumer(max_in_flight=1, max_claimed_ahead=3).run())
    await started.wait()

    task.cancel()
    # The consumer has heard of it.
    await asyncio.sleep(0)
    may_end.set()
    await asyncio.gather(task, return_exceptions=True)

    assert labels.printed == [["a"]]
    assert [row["print_at"] is None for row in await labels.read()] == [True, False]


def test_rows_gather_longer_after_a_claim_of_many():
    limits = QueueLimits(pause_seconds=0.02)

    assert get_gathering_seconds(limits, 0) == get_gathering_seconds(limits, 4) == 0.02
    assert get_gathering_seconds(limits, 8) == 0.04
    assert get_gathering_seconds(limits, 200) == get_gathering_seconds(limits, 12) == 0.06
