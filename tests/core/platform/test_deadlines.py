"""Deadlines cancel slow work and work whose client has left, but no commit."""

import asyncio
import gc
import weakref
from contextvars import ContextVar

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.platform import deadlines
from comanda.platform.db import sql
from comanda.platform.deadlines import ClientDisconnected, Deadline, DeadlineExceeded, current_deadline
from tortoise.backends.asyncpg.client import TransactionWrapper
from tortoise.connection import get_connections


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(deadlines, "WATCH_AFTER_SECONDS", 0.02)
    monkeypatch.setattr(deadlines, "REPEAT_SECONDS", 0.05)


async def silent_client():
    await asyncio.Event().wait()


async def client_that_left():
    return {"type": "http.disconnect"}


async def test_slow_work_is_cancelled():
    async with asyncio.timeout(120):
        with pytest.raises(DeadlineExceeded), Deadline(0.05):
            await asyncio.Event().wait()

    assert asyncio.current_task().cancelling() == 0
    assert current_deadline() is None


async def test_quick_work_is_left_alone():
    with Deadline(0.05, silent_client) as deadline:
        assert current_deadline() is deadline
    await asyncio.sleep(0.1)


async def test_work_of_a_client_that_left_is_cancelled():
    with pytest.raises(ClientDisconnected), Deadline(MAX_WAIT_SECONDS, client_that_left):
        await asyncio.Event().wait()


async def test_work_goes_on_after_a_commit_without_its_client(app):
    left = asyncio.Event()

    async def receive():
        await left.wait()
        return {"type": "http.disconnect"}

    with Deadline(5, receive):
        async with sql.transaction():
            await sql.execute("SELECT 1")
        left.set()
        await asyncio.sleep(0.15)


async def commit(deadline, seconds):
    """Commit for a while, remember it, then do more."""
    deadline.begin_commit()
    await asyncio.sleep(seconds)
    deadline.end_commit(is_committed=True)
    COMMITS.append(seconds)
    await asyncio.sleep(5)


COMMITS = []


async def test_deadline_counts_after_a_commit():
    with pytest.raises(DeadlineExceeded), Deadline(0.1, client_that_left) as deadline:
        await commit(deadline, 0)


async def test_a_commit_is_not_interrupted():
    with pytest.raises(DeadlineExceeded), Deadline(0.03) as deadline:
        await commit(deadline, 0.151)

    assert COMMITS[-1] == 0.151


async def test_a_commit_within_a_step_is_not_interrupted_by_the_request():
    with pytest.raises(DeadlineExceeded), Deadline(0.03), Deadline(5) as step:
        await commit(step, 0.152)

    assert COMMITS[-1] == 0.152


async def test_work_that_ignores_its_cancellation_is_cancelled_again():
    ignored = []

    async def stubborn():
        for _ in range(3):
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                ignored.append(True)
        await asyncio.sleep(5)

    with pytest.raises(DeadlineExceeded), Deadline(0.03):
        await stubborn()

    assert len(ignored) == 3
    assert asyncio.current_task().cancelling() == 0


async def test_cancellation_by_others_stays_a_cancellation():
    async def work():
        with Deadline(5):
            await asyncio.sleep(5)

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelled_transactions_give_their_connections_back(app, store_id):
    async def change():
        async with sql.transaction():
            await sql.execute("UPDATE core_store SET title = 'Half' WHERE id = $1", store_id)
            await asyncio.sleep(5)

    for _ in range(30):
        with pytest.raises(DeadlineExceeded), Deadline(0.005):
            await change()

    async def count():
        async with sql.transaction():
            return await sql.fetch_value("SELECT count(*) FROM core_store WHERE title = 'Half' AND id = $1", store_id)

    async with asyncio.timeout(120):
        assert await asyncio.gather(*(count() for _ in range(20))) == [0] * 20


async def test_a_transaction_cancelled_as_it_opens_gives_its_connection_back(app):
    async def work():
        async with sql.transaction():
            await sql.execute("SELECT 1")

    for turns in range(60):
        task = asyncio.create_task(work())
        for _ in range(turns % 12):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async with asyncio.timeout(120):
        await asyncio.gather(*(work() for _ in range(20)))
    assert not sql.is_in_transaction()


@pytest.mark.parametrize("is_begun", [True, False], ids=["at its end", "as it opens"])
async def test_a_cancelled_return_of_a_connection_leaves_no_transaction_behind(app, monkeypatch, is_begun):
    pool = get_connections().get("default")._pool
    release = pool.release

    async def release_and_cancel(connection):
        await release(connection)
        raise asyncio.CancelledError

    async def fail(client):
        raise OSError

    async def change():
        async with sql.transaction():
            await sql.execute("SELECT 1")

    with monkeypatch.context() as patch:
        patch.setattr(pool, "release", release_and_cancel)
        if not is_begun:
            patch.setattr(TransactionWrapper, "begin", fail)
        with pytest.raises(asyncio.CancelledError):
            await change()

    assert await sql.fetch_value("SELECT 1") == 1
    async with sql.transaction():
        assert await sql.fetch_value("SELECT 1") == 1


async def test_slow_work_leaves_nothing_to_the_garbage_collector():
    held = ContextVar("held")

    async def work():
        held.set(work_objects := Held())
        with Deadline(5, silent_client):
            await asyncio.sleep(0.05)
        return weakref.ref(work_objects)

    gc.disable()
    # While another timer comes first, the loop does not drop those that were cancelled.
    earlier = asyncio.get_running_loop().call_later(1, print)
    try:
        reference = await asyncio.create_task(work())
        await asyncio.sleep(0.05)

        assert reference() is None
    finally:
        earlier.cancel()
        gc.enable()


async def test_a_timer_that_work_leaves_behind_does_not_hold_its_client():
    client = Held()

    async def work(receive):
        with Deadline(5, receive):
            return asyncio.get_running_loop().call_later(60, print)

    timer = await asyncio.create_task(work(client.receive))
    try:
        reference = weakref.ref(client)
        del client
        gc.collect()

        assert reference() is None
    finally:
        timer.cancel()


class Held:
    """An object that the work holds in a context variable, or a client that never says anything."""

    async def receive(self):
        return await silent_client()
