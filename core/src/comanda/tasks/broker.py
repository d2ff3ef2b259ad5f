"""Ordinary and periodic tasks with taskiq. A message may be lost; for what must not be, see ``QueueWorker``."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog
from taskiq import AsyncBroker, InMemoryBroker
from taskiq.api import run_receiver_task

from comanda.contracts.tasks import Task
from comanda.db import sql
from comanda.db.errors import TRANSIENT_ERRORS
from comanda.outages import Outage
from comanda.tasks.streams import StreamBroker

log = structlog.get_logger(__name__)

# taskiq logs a warning whenever a receiver stops, which is normal here.
logging.getLogger("taskiq.receiver").addFilter(lambda record: record.levelno > logging.WARNING)

# Messages of a dead worker are redelivered once they have been unacknowledged for this long.
REDELIVERED_AFTER_MS = 60_000
ENQUEUE_SECONDS = 5.0

# One row per periodic task holds its last run; the process that updates it runs the task.
CLAIM_TASK_TURN = """
    INSERT INTO core_task_turn AS t (name, last_run_at) VALUES ($1, now())
    ON CONFLICT (name) DO UPDATE SET last_run_at = now() WHERE t.last_run_at <= now() - $2::interval
"""


def create_broker(redis_url: str | None, tasks: Mapping[str, Task]) -> AsyncBroker:
    """Create the broker and register every task under its name."""
    broker: AsyncBroker = InMemoryBroker()
    if redis_url is not None:
        # Unix sockets need no keep-alive and do not support the option.
        options: dict[str, Any] = {} if redis_url.startswith("unix:") else {"socket_keepalive": True}
        broker = StreamBroker(
            redis_url,
            queue_name="comanda:tasks",
            consumer_group_name="comanda",
            consumer_id="0",
            unacknowledged_lock_timeout=REDELIVERED_AFTER_MS / 1000,
            idle_timeout=REDELIVERED_AFTER_MS,
            # With a timeout redis-py sends through ``asyncio.wait_for``, which in Python 3.11 swallows a cancellation
            # that arrives as the sending ends; the receiver would then never stop. Keep-alive detects a lost peer.
            socket_timeout=None,
            **options,
        )
    for task in tasks.values():
        broker.register_task(_to_function(task), task_name=task.name)
    return broker


def _to_function(task: Task) -> Callable[[], Awaitable[None]]:
    # taskiq renames the function it is given and refuses what has no name, such as a bound method.
    async def run() -> None:
        await task.run()

    return run


async def enqueue(broker: AsyncBroker, name: str) -> bool:
    """Enqueue a task for any worker; return False, after logging it, if Redis is unavailable."""
    task = broker.find_task(name)
    if task is None:
        raise LookupError(f"there is no task {name}")
    try:
        async with asyncio.timeout(ENQUEUE_SECONDS):
            await task.kiq()
    except Exception as error:
        # An outage that the broker noticed is already logged.
        if not (isinstance(broker, StreamBroker) and broker.outage.is_open):
            log.warning("task_not_enqueued", task=name, error=repr(error))
        return False
    return True


async def receive_tasks(broker: AsyncBroker) -> None:
    """Run enqueued tasks until cancelled."""
    if not isinstance(broker, InMemoryBroker):
        await run_receiver_task(broker, run_startup=False)


async def run_schedule(broker: AsyncBroker, tasks: Mapping[str, Task], check_seconds: float = 5.0) -> None:
    """Start each periodic task when it is due, in only one of all processes, until cancelled.

    Tasks are enqueued in Redis, so that any worker may run them. While Redis is unavailable, the process that claimed
    the turn runs the task.
    """
    periodic = [(task, task.every) for task in tasks.values() if task.every is not None]
    outage = Outage("schedule_database", "Periodic tasks wait.")
    async with asyncio.TaskGroup() as group:
        running: dict[str, asyncio.Task[None]] = {}
        while True:
            try:
                for task, every in periodic:
                    is_due = await sql.execute(CLAIM_TASK_TURN, task.name, every)
                    if is_due and not await enqueue(broker, task.name) and task.name not in running:
                        running[task.name] = group.create_task(_run_here(task), name=task.name)
                        running[task.name].add_done_callback(lambda done: running.pop(done.get_name(), None))
                outage.end()
            except TRANSIENT_ERRORS as error:
                outage.begin(error)
            await asyncio.sleep(check_seconds)


async def _run_here(task: Task) -> None:
    try:
        await task.run()
    except Exception:
        log.exception("task_failed", task=task.name)
