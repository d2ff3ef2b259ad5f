"""The background half of Comanda: drains, the schedule, and taskiq's receiver, in a worker or beside the server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import structlog
from taskiq import AsyncBroker

from comanda.registry import Registry
from comanda.tasks import bells, broker
from comanda.tasks.types import Drain

log = structlog.get_logger(__name__)

RESTART_SECONDS = 1.0


@asynccontextmanager
async def background(
    registry: Registry,
    task_broker: AsyncBroker,
    connect: Callable[[], Awaitable[asyncpg.Connection]],
) -> AsyncIterator[None]:
    """Do background work while the block runs. What is cut off at the end, leases give to the next process."""
    listener = bells.Listener(connect)
    running = [asyncio.create_task(listener.run(), name="listener")]
    running += [asyncio.create_task(_supervise(drain, listener), name=drain.name) for drain in registry.drains]
    running.append(asyncio.create_task(broker.keep_schedule(task_broker, registry.tasks), name="schedule"))
    running.append(asyncio.create_task(broker.receive(task_broker), name="receiver"))
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _supervise(drain: Drain, listener: bells.Listener) -> None:
    """Keep a drain running, whatever happens to it."""
    wake = listener.wake(drain.channel)
    try:
        while True:
            try:
                await drain.run(wake)
            except Exception:
                log.exception("drain_failed", drain=drain.name)
            await asyncio.sleep(RESTART_SECONDS)
    finally:
        listener.forget(drain.channel, wake)
