"""Background work: restarts and shutdown."""

import asyncio
from dataclasses import replace

import asyncpg
from comanda.contracts.tasks import QueueWorker
from comanda.tasks import broker as brokers
from comanda.tasks import worker


async def test_failed_queue_worker_is_restarted(runtime, database_url, monkeypatch):
    monkeypatch.setattr(worker, "RESTART_SECONDS", 0.01)
    starts = []
    steady = asyncio.Event()

    async def drain(wake):
        starts.append(wake)
        if len(starts) < 3:
            raise ConnectionError
        steady.set()
        await asyncio.Event().wait()

    registry = replace(runtime.registry, queue_workers=(QueueWorker("test", "test", drain),), tasks={})
    broker = brokers.create_broker(None, {})
    async with worker.run_background(registry, broker, lambda: asyncpg.connect(database_url)), asyncio.timeout(5):
        await steady.wait()

    assert len(starts) == 3


async def test_background_work_leaves_nothing_running(runtime, database_url):
    before = asyncio.all_tasks()
    broker = brokers.create_broker(None, {})

    async with worker.run_background(
        replace(runtime.registry, tasks={}), broker, lambda: asyncpg.connect(database_url)
    ):
        await asyncio.sleep(0.05)
        during = asyncio.all_tasks() - before

    assert len(during) >= 3
    assert all(task.done() for task in during)
