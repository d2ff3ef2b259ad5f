"""The taskiq broker: every task and every queue as a taskiq task, carried by Redis or within this process.

A message may be lost: the rows of queues and the turns of periodic tasks are the truth.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import structlog
from taskiq import AsyncBroker, InMemoryBroker
from taskiq.api import run_receiver_task
from taskiq.kicker import AsyncKicker

from comanda.basics import clock
from comanda.basics.lazy_imports import LazyModule
from comanda.basics.outages import Outage
from comanda.contracts.background.tasks import Task, WakeEvent
from comanda.contracts.tracing import SpanKind
from comanda.platform import runtime, tracing
from comanda.platform.db.connections.keepalive import SOCKET_OPTIONS
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.db.orm.engine import DatabaseClosed
from comanda.platform.plugin_calls import PluginFailed, catch_failures
from comanda.platform.tasks.turns import claim_turns, run_task

if TYPE_CHECKING:
    from comanda.platform.tasks import streams
else:
    # The driver takes 6 MiB of memory, which installations without Redis are spared.
    streams = LazyModule("comanda.platform.tasks.streams")

log = structlog.get_logger(__name__)

# taskiq logs a warning whenever a receiver stops, which is normal here.
logging.getLogger("taskiq.receiver").addFilter(lambda record: record.levelno > logging.WARNING)
# So is the cancellation of what it runs then, which it logs as an error.
logging.getLogger("taskiq.receiver.receiver").addFilter(
    lambda record: not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))
)

# Messages of a dead worker are redelivered once they have been unacknowledged for this long.
REDELIVERED_AFTER_MS: Final = 60_000
ENQUEUE_SECONDS: Final = 5.0
# Redis drops the oldest messages beyond about this many, while no worker runs: polls and turns make up for them.
MAX_MESSAGES: Final = 10_000
# A process that only sends tries an unavailable Redis again this often; meanwhile it notifies through PostgreSQL.
RETRY_SECONDS: Final = 5.0

TaskFunction = Callable[[], Awaitable[None]]


class LocalBroker(InMemoryBroker):
    """A broker within this process, whose tasks end with it: one that goes on would use a database that has closed."""

    async def shutdown(self) -> None:
        """Cancel the tasks that run, wait for their end, and shut down."""
        running = list(self._running_tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await super().shutdown()


def create_broker(
    redis_url: str | None, tasks: Mapping[str, Task], queues: Mapping[str, TaskFunction] | None = None
) -> AsyncBroker:
    """Create the broker, and register every task, and what each queue's task does, under its name."""
    broker = LocalBroker() if redis_url is None else _create_redis_broker(redis_url)
    for task in tasks.values():
        broker.register_task(_to_function(task), task_name=task.name)
    for name, function in (queues or {}).items():
        broker.register_task(function, task_name=name)
    return broker


def _create_redis_broker(redis_url: str) -> AsyncBroker:
    # Unix sockets need no keep-alive and do not support the option.
    options: dict[str, Any] = {}
    if not redis_url.startswith("unix:"):
        options = {"socket_keepalive": True, "socket_keepalive_options": SOCKET_OPTIONS}
    return streams.StreamBroker(
        redis_url,
        queue_name="comanda:tasks",
        consumer_group_name="comanda",
        consumer_id="0",
        maxlen=MAX_MESSAGES,
        unacknowledged_lock_timeout=REDELIVERED_AFTER_MS / 1000,
        idle_timeout=REDELIVERED_AFTER_MS,
        # With a timeout redis-py sends through ``asyncio.wait_for``, which in Python 3.11 swallows a cancellation
        # that arrives as the sending ends; the receiver would then never stop. Keep-alive detects a lost peer.
        socket_timeout=None,
        **options,
    )


def _to_function(task: Task) -> TaskFunction:
    # taskiq renames the function it is given and refuses what has no name, such as a bound method.
    async def run() -> None:
        # A failure is logged and counted; a periodic task runs again at its next time. What a process that stops leaves
        # undone is done by another one, or by the next.
        try:
            with (
                suppress(PluginFailed, DatabaseClosed),
                catch_failures(runtime.registry().plugin_of(task), f"task {task.name}"),
                tracing.span(f"task {task.name}", SpanKind.BACKGROUND),
            ):
                await (task.run() if task.every is None else run_task(task))
        except TRANSIENT_ERRORS as error:
            log.warning("task_interrupted", task=task.name, error=repr(error))

    return run


async def enqueue(broker: AsyncBroker, name: str) -> bool:
    """Enqueue a task for any worker; return False, after logging it, if Redis is unavailable.

    Raises ``LookupError`` for a name that is not registered.
    """
    if broker.find_task(name) is None:
        raise LookupError(f"there is no task {name}")
    try:
        await _send(broker, name)
    except Exception as error:
        # An outage that the broker noticed is already logged.
        outage: Outage | None = getattr(broker, "outage", None)
        if outage is None or not outage.is_open:
            log.warning("task_not_enqueued", task=name, error=repr(error))
        return False
    return True


async def _send(broker: AsyncBroker, name: str) -> None:
    async with asyncio.timeout(ENQUEUE_SECONDS):
        await AsyncKicker(task_name=name, broker=broker, labels={}).kiq()


class TaskSender:
    """Enqueues tasks in a process that runs none itself."""

    def __init__(self, redis_url: str) -> None:
        self._broker = create_broker(redis_url, {})
        self._outage = Outage("tasks_redis", "Workers are notified through PostgreSQL.")
        self._retry_at = 0.0

    async def enqueue(self, name: str) -> bool:
        """Enqueue a task for any worker; return False while Redis is unavailable."""
        if time.monotonic() < self._retry_at:
            return False
        try:
            await _send(self._broker, name)
        except Exception as error:
            self._outage.begin(error)
            self._retry_at = time.monotonic() + RETRY_SECONDS
            return False
        self._outage.end()
        return True

    async def close(self) -> None:
        """Close the connections."""
        await self._broker.shutdown()


async def receive_tasks(broker: AsyncBroker) -> None:
    """Run enqueued tasks until cancelled."""
    if not isinstance(broker, InMemoryBroker):
        await run_receiver_task(broker, run_startup=False)


async def run_schedule(broker: AsyncBroker, tasks: Mapping[str, Task], check_seconds: float = 5.0) -> None:
    """Start each periodic task when it is due, in only one of all processes, until cancelled.

    Tasks are enqueued in Redis, so that any worker may run them. While Redis is unavailable, the process that claimed
    the turn runs the task.
    """
    wake = WakeEvent()
    with clock.watch(wake.set):
        await _watch_schedule(broker, tasks, check_seconds, wake)


async def _watch_schedule(
    broker: AsyncBroker, tasks: Mapping[str, Task], check_seconds: float, wake: WakeEvent
) -> None:
    outage = Outage("schedule_database", "Periodic tasks wait.")
    async with asyncio.TaskGroup() as group:
        running: dict[str, asyncio.Task[None]] = {}
        while True:
            try:
                for name in await claim_turns(tasks.values()):
                    if not await enqueue(broker, name) and name not in running:
                        running[name] = group.create_task(_run_here(tasks[name]), name=name)
                        running[name].add_done_callback(lambda done: running.pop(done.get_name(), None))
                outage.end()
            except TRANSIENT_ERRORS as error:
                outage.begin(error)
            await wake.wait(check_seconds)


async def _run_here(task: Task) -> None:
    try:
        await run_task(task)
    except Exception:
        log.exception("task_failed", task=task.name)
