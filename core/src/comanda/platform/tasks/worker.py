"""Background work: the consumers of all queues, the schedule and the task receiver, in a worker or a web process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import ExitStack, asynccontextmanager
from functools import partial

import asyncpg
import structlog
from taskiq import AsyncBroker, InMemoryBroker

from comanda.basics import clock
from comanda.basics.outages import Outage
from comanda.contracts.background.queues import LeasedQueue
from comanda.contracts.registry import Registry
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.queue.consumer import QueueConsumer
from comanda.platform.queue.due_checks import find_due_queues
from comanda.platform.tasks import notifier
from comanda.platform.tasks.broker import create_broker, enqueue, receive_tasks, run_schedule

log = structlog.get_logger(__name__)

RESTART_SECONDS = 1.0
# Rows that become due, and those whose notification was lost, are found so soon; the latter are many while nobody hears
# the notifications of other processes.
CHECK_SECONDS = 2.0
CHECK_SECONDS_ALONE = 1.0
# Work that runs this long has its connections; failing to connect takes less.
STEADY_SECONDS = 15.0
# Other workers are asked for help with a queue at most this often.
SPREAD_SECONDS = 0.1

Connect = Callable[[], Awaitable[asyncpg.Connection]]


class Worker:
    """The background work of one process. Work cut off at its end is taken over when its leases end."""

    def __init__(self, registry: Registry, redis_url: str | None, connect: Connect) -> None:
        self._registry = registry
        self._listener = notifier.Listener(connect)
        self._consumers: dict[str, QueueConsumer] = {}
        self._spread_at: dict[str, float] = {}
        self._spreading: set[asyncio.Task[bool]] = set()
        self.broker: AsyncBroker = create_broker(
            redis_url, registry.tasks, {queue.name: self._to_task(queue) for queue in registry.queues}
        )

    @asynccontextmanager
    async def running(self, *, receives_tasks: bool = True) -> AsyncIterator[None]:
        """Do background work while the block runs.

        Without ``receives_tasks`` somebody else starts the broker and receives its messages, such as taskiq's command.
        """
        work: dict[str, Callable[[], Awaitable[None]]] = {
            "listener": self._listener.run,
            "due_rows": self._watch_queues,
            "schedule": partial(run_schedule, self.broker, self._registry.tasks),
            **{f"queue_{queue.name}": partial(self._run_queue, queue) for queue in self._registry.queues},
        }
        if receives_tasks:
            work["tasks"] = partial(receive_tasks, self.broker)
            self.broker.is_worker_process = True
            await self.broker.startup()
        with ExitStack() as stack:
            for name in self._registry.tasks:
                stack.enter_context(notifier.listen(name, partial(self._enqueue, name), catches_up=False))
            running = [
                asyncio.create_task(run_again_after_failures(name, run), name=name) for name, run in work.items()
            ]
            try:
                yield
            finally:
                for task in (*running, *self._spreading):
                    task.cancel()
                await asyncio.gather(*running, *self._spreading, return_exceptions=True)
                if receives_tasks:
                    await self.broker.shutdown()

    def _to_task(self, queue: LeasedQueue) -> Callable[[], Awaitable[None]]:
        async def claim() -> None:
            if (consumer := self._consumers.get(queue.name)) is not None:
                await consumer.claim_if_idle()

        return claim

    async def _run_queue(self, queue: LeasedQueue) -> None:
        async with queue.open_work() as work:
            consumer = QueueConsumer(queue, work, partial(self._spread, queue))
            self._consumers[queue.name] = consumer
            try:
                with notifier.listen(queue.name, consumer.wake), clock.watch(consumer.wake):
                    await consumer.run()
            finally:
                del self._consumers[queue.name]

    async def _watch_queues(self) -> None:
        """Wake the consumers of queues with due rows."""
        try:
            while True:
                self._wake(await find_due_queues(self._registry.queues))
                await asyncio.sleep(CHECK_SECONDS if self._listener.is_listening else CHECK_SECONDS_ALONE)
        except Exception:
            # Each finds out for itself.
            self._wake(set(self._consumers))
            raise

    def _wake(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self._consumers:
                self._consumers[name].wake()

    def _spread(self, queue: LeasedQueue) -> None:
        """Ask another worker to claim from a queue that has more than this process takes."""
        moment = asyncio.get_running_loop().time()
        if isinstance(self.broker, InMemoryBroker) or moment < self._spread_at.get(queue.name, 0.0):
            return
        self._spread_at[queue.name] = moment + SPREAD_SECONDS
        self._enqueue(queue.name)

    def _enqueue(self, name: str) -> None:
        task = asyncio.get_running_loop().create_task(enqueue(self.broker, name))
        self._spreading.add(task)
        task.add_done_callback(self._spreading.discard)


async def run_again_after_failures(name: str, run: Callable[[], Awaitable[None]]) -> None:
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
