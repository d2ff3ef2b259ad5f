"""Background work: queue workers, the schedule and the task receiver, in a worker or beside the web server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import asyncpg
import structlog
from taskiq import AsyncBroker

from comanda.contracts.registry import Registry
from comanda.contracts.tasks import QueueWorker
from comanda.db.errors import TRANSIENT_ERRORS
from comanda.outages import Outage
from comanda.tasks import broker, notifier

log = structlog.get_logger(__name__)

RESTART_SECONDS = 1.0
# Work that runs this long has its connections; failing to connect takes less.
STEADY_SECONDS = 15.0


@asynccontextmanager
async def run_background(
    registry: Registry,
    task_broker: AsyncBroker,
    connect: Callable[[], Awaitable[asyncpg.Connection]],
) -> AsyncIterator[None]:
    """Run background work while the block runs. Work cut off at the end is taken over when its leases expire."""
    listener = notifier.Listener(connect)
    work: dict[str, Callable[[], Awaitable[None]]] = {
        "listener": listener.run,
        "tasks": partial(_run_tasks, registry, task_broker),
        **{worker.name: partial(_run_queue_worker, worker, listener) for worker in registry.queue_workers},
    }
    running = [asyncio.create_task(_supervise(name, run), name=name) for name, run in work.items()]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _supervise(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run ``run`` for ever, restarting it after failures."""
    outage = Outage(f"background_{name}", f"It is restarted every {RESTART_SECONDS:g} s.")
    while True:
        steady = asyncio.get_running_loop().call_later(STEADY_SECONDS, outage.end)
        try:
            await run()
        except TRANSIENT_ERRORS as error:
            outage.begin(error)
        except Exception:
            log.exception("background_work_failed", work=name)
        finally:
            steady.cancel()
        await asyncio.sleep(RESTART_SECONDS)


async def _run_queue_worker(worker: QueueWorker, listener: notifier.Listener) -> None:
    wake_event = listener.subscribe(worker.channel)
    try:
        await worker.run(wake_event)
    finally:
        listener.unsubscribe(worker.channel, wake_event)


async def _run_tasks(registry: Registry, task_broker: AsyncBroker) -> None:
    """Run the schedule and enqueued tasks; both continue while Redis is unavailable."""
    task_broker.is_worker_process = True
    await task_broker.startup()
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(broker.run_schedule(task_broker, registry.tasks))
            group.create_task(broker.receive_tasks(task_broker))
    finally:
        await task_broker.shutdown()
