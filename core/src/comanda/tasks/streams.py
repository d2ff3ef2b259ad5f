"""taskiq's Redis stream, for as long as the process lives: Redis may go away and come back empty."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError
from taskiq import AckableMessage
from taskiq.message import BrokerMessage
from taskiq_redis import RedisStreamBroker

from comanda.outages import Outage

log = structlog.get_logger(__name__)

FIRST_PAUSE_SECONDS = 0.5
MAX_PAUSE_SECONDS = 5.0
REDIS_ERRORS: tuple[type[Exception], ...] = (RedisError, OSError, TimeoutError)


class StreamBroker(RedisStreamBroker):
    """A stream broker whose reading never ends: after any failure it pauses, creates the consumer group and reads on.

    taskiq's receiver restarts a reader that fails at once and logs a traceback each time; the stock broker creates its
    group at startup only, so that after a FLUSHALL every read fails for good.
    """

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.outage = Outage("tasks_redis", "Periodic tasks run in the process whose turn it is.")

    async def startup(self) -> None:
        """Start without waiting for Redis; ``listen`` creates the group once Redis answers."""
        try:
            await super().startup()
        except REDIS_ERRORS as error:
            self.outage.begin(error)

    async def kick(self, message: BrokerMessage) -> None:
        """Put a message on the stream. Raises ``ConnectionError`` at once while Redis is known to be away."""
        if self.outage.is_open:
            raise ConnectionError("Redis is away.")
        await super().kick(message)

    async def listen(self) -> AsyncGenerator[AckableMessage, None]:
        """Yield messages until closed, through every outage of Redis."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            began = time.monotonic()
            try:
                await self._join_group()
                self.outage.end()
                async with aclosing(super().listen()) as messages:
                    async for message in messages:
                        yield message
            except REDIS_ERRORS as error:
                self.outage.begin(error)
            except Exception:
                # A message that no taskiq wrote; it stays unacknowledged and must not stop the others.
                log.exception("task_message_unreadable")
            if time.monotonic() - began > MAX_PAUSE_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)

    async def _join_group(self) -> None:
        """Create the consumer group if it is not there. Raises redis's error while reading it would fail."""
        await self._declare_consumer_group()
        async with Redis(connection_pool=self.connection_pool) as client:
            await client.xpending(self.queue_name, self.consumer_group_name)

    def _ack_generator(self, id: str, queue_name: str) -> Callable[[], Awaitable[None]]:
        acknowledge = super()._ack_generator(id, queue_name)

        async def try_to_acknowledge() -> None:
            # Unacknowledged it comes again, which tasks bear. That Redis is away, ``listen`` notices and says.
            with suppress(*REDIS_ERRORS):
                await acknowledge()

        return try_to_acknowledge
