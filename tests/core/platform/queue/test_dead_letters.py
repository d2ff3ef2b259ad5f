"""Rows of queues that failed: listed, retried and discarded by administrators."""

import pytest
from comanda.basics.errors import NotFound
from comanda.contracts.background.queues import DeadLetters, LeasedQueue, QueueWork, RetrySchedule
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest
from comanda.platform.db import sql
from comanda.platform.queue import dead_letters

FIRST = PageRequest(1, 20)
SELECT_ACTIONS = "SELECT action, actor_kind FROM core_audit_entry WHERE owner_id = $1 ORDER BY id"


@pytest.fixture
def queue(labels):
    return LeasedQueue("labels", labels.table, QueueWork(labels.record), DeadLetters(title="q.text"))


@pytest.fixture
def jammed(labels):
    """Return a function that adds labels of an owner, and has so many attempts fail."""

    async def add(*texts, owner, attempts=3):
        async def jam(_rows):
            raise ConnectionError("paper jam")

        labels.print, labels.retries = jam, RetrySchedule((10, 60), jitter=0)
        await labels.add(*texts, owner_id=owner.id)
        consumer = labels.new_consumer()
        for _ in range(attempts):
            await consumer.process_all_due()
            labels.clock.advance(seconds=61)
        labels.print = labels.record

    return add


@pytest.fixture
def administrator(other_owner):
    return Caller("owner", 0, other_owner.id, None, None, frozenset({"*"}), None)


async def test_dead_letters_are_listed_with_owner_and_reason(queue, jammed, owner, other_owner):
    await jammed("a", owner=owner)
    await jammed("b", owner=other_owner)

    found = await dead_letters.list_dead_letters(queue, FIRST)

    assert found.total == 2
    assert [(row.title, row.owner_id, row.attempts, row.due_at) for row in found.data] == [
        ("b", other_owner.id, 3, None), ("a", owner.id, 3, None),
    ]  # fmt: skip
    assert {row.reason for row in found.data} == {"ConnectionError('paper jam')"}
    assert (await dead_letters.list_failing_rows(queue, FIRST)).data == []


async def test_retried_dead_letter_has_all_attempts_again(queue, labels, jammed, owner, administrator):
    await jammed("a", owner=owner)
    [row] = (await dead_letters.list_dead_letters(queue, FIRST)).data

    await dead_letters.retry_dead_letter(administrator, queue, owner.id, row.id)

    [stored] = await labels.read()
    assert (stored["attempts"], stored["given_up_at"], stored["print_at"]) == (0, None, labels.clock())
    assert await labels.new_consumer().process_all_due() == 1
    assert labels.printed == [["a"]]
    assert [tuple(entry) for entry in await sql.fetch(SELECT_ACTIONS, owner.id)] == [
        ("account/queue_retry", "operator")
    ]


async def test_discarded_dead_letter_is_as_if_done(queue, labels, jammed, owner, administrator):
    await jammed("a", owner=owner)
    [row] = (await dead_letters.list_dead_letters(queue, FIRST)).data

    await dead_letters.discard_dead_letter(administrator, queue, owner.id, row.id)

    [stored] = await labels.read()
    assert (stored["print_at"], stored["given_up_at"]) == (None, None)
    assert (await dead_letters.list_dead_letters(queue, FIRST)).total == 0
    assert await labels.new_consumer().process_all_due() == 0


async def test_failing_row_is_tried_now_instead_of_later(queue, labels, jammed, owner, administrator):
    await jammed("a", owner=owner, attempts=1)
    labels.clock.advance(seconds=-60)
    [row] = (await dead_letters.list_failing_rows(queue, FIRST)).data
    assert await labels.new_consumer().process_all_due() == 0

    await dead_letters.retry_failing_row(administrator, queue, owner.id, row.id)

    assert row.due_at > labels.clock()
    assert await labels.new_consumer().process_all_due() == 1
    assert labels.printed == [["a"]]


async def test_rows_of_others_and_rows_that_wait_are_not_found(
    queue, labels, jammed, owner, other_owner, administrator
):
    await jammed("a", owner=owner)
    await labels.add("b", owner_id=owner.id)
    before = await labels.read()
    dead, waiting = before

    for act, row, of in (
        (dead_letters.retry_dead_letter, dead, other_owner),
        (dead_letters.discard_dead_letter, dead, other_owner),
        (dead_letters.retry_dead_letter, waiting, owner),
        (dead_letters.discard_dead_letter, waiting, owner),
        (dead_letters.retry_failing_row, waiting, owner),
        (dead_letters.retry_failing_row, dead, owner),
    ):
        with pytest.raises(NotFound):
            await act(administrator, queue, of.id, row["id"])

    assert await labels.read() == before
    assert await sql.fetch(SELECT_ACTIONS, owner.id) == []


async def test_all_dead_letters_are_retried_at_once(queue, labels, jammed, owner, administrator):
    await jammed("a", "b", "c", owner=owner)

    assert await dead_letters.retry_dead_letters(administrator, queue) == (3, 0)

    assert await labels.new_consumer().process_all_due() == 3


async def test_queue_that_gives_up_nothing_has_no_dead_letters(runtime, administrator, owner):
    queue = next(queue for queue in runtime.registry.queues if queue.name == "outbox")

    assert (await dead_letters.list_dead_letters(queue, FIRST)).total == 0
    assert not dead_letters.may_retry(queue)
    assert not dead_letters.may_discard(queue)
    with pytest.raises(NotFound):
        await dead_letters.retry_dead_letter(administrator, queue, owner.id, 1)


async def test_every_queue_can_be_looked_at(runtime):
    for queue in runtime.registry.queues:
        for list_rows in (dead_letters.list_dead_letters, dead_letters.list_failing_rows):
            assert (await list_rows(queue, FIRST)).current_page == 1, queue.name
