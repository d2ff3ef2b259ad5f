"""The background half of Comanda: drains, the schedule, and taskiq's receiver, in a worker or beside the server."""

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
# Work that has gone on for this long has what it needs; trying to connect in vain takes less.
STEADY_SECONDS = 15.0


@asynccontextmanager
async def background(
    registry: Registry,
    task_broker: AsyncBroker,
    connect: Callable[[], Awaitable[asyncpg.Connection]],
) -> AsyncIterator[None]:
    """Do background work while the block runs. What is cut off at the end, leases give to the next process."""
    listener = notifier.Listener(connect)
    work: dict[str, Callable[[], Awaitable[None]]] = {
        "listener": listener.run,
        "tasks": partial(_run_tasks, registry, task_broker),
        **{drain.name: partial(_run_drain, drain, listener) for drain in registry.drains},
    }
    running = [asyncio.create_task(_supervise(name, run), name=name) for name, run in work.items()]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _supervise(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Keep ``run`` running, whatever happens to it."""
    outage = Outage(f"background_{name}", f"It is started again every {RESTART_SECONDS:g} s.")
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


async def _run_drain(drain: QueueWorker, listener: notifier.Listener) -> None:
    wake = listener.subscribe(drain.channel)
    try:
        await drain.run(wake)
    finally:
        listener.unsubscribe(drain.channel, wake)


async def _run_tasks(registry: Registry, task_broker: AsyncBroker) -> None:
    """Keep the schedule and run what is enqueued; both go on while Redis is away."""
    task_broker.is_worker_process = True
    await task_broker.startup()
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(broker.keep_schedule(task_broker, registry.tasks))
            group.create_task(broker.receive(task_broker))
    finally:
        await task_broker.shutdown()
