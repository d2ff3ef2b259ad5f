"""A taskiq broker on Redis streams that survives outages: Redis may restart and come back empty."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError
from taskiq import AckableMessage
from taskiq.message import BrokerMessage
from taskiq_redis import RedisStreamBroker

from comanda.basics.outages import Outage

log = structlog.get_logger(__name__)

FIRST_PAUSE_SECONDS = 0.5
MAX_PAUSE_SECONDS = 5.0
REDIS_ERRORS: tuple[type[Exception], ...] = (RedisError, OSError, TimeoutError)


class StreamBroker(RedisStreamBroker):
    """A stream broker that never stops reading: after a failure it pauses, creates the consumer group and continues.

    taskiq's receiver restarts a failed reader immediately and logs a traceback each time; the stock broker creates its
    group only at startup, so that after a FLUSHALL every read fails permanently.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.outage = Outage("tasks_redis", "Periodic tasks run in the process whose turn it is.")

    async def startup(self) -> None:
        """Start without waiting for Redis; ``listen`` creates the group once Redis is available."""
        try:
            await super().startup()
        except REDIS_ERRORS as error:
            self.outage.begin(error)

    async def kick(self, message: BrokerMessage) -> None:
        """Add a message to the stream. Raises ``ConnectionError`` immediately during a known outage."""
        if self.outage.is_open:
            raise ConnectionError("Redis is unavailable.")
        await super().kick(message)

    async def listen(self) -> AsyncGenerator[AckableMessage, None]:
        """Yield messages until closed, across outages of Redis."""
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
                # A message in another format; it stays unacknowledged and must not block the others.
                log.exception("task_message_unreadable")
            if time.monotonic() - began > MAX_PAUSE_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)

    async def _join_group(self) -> None:
        """Create the consumer group if it is missing. Raises the Redis error if reading would fail."""
        await self._declare_consumer_group()
        async with Redis(connection_pool=self.connection_pool) as client:
            await client.xpending(self.queue_name, self.consumer_group_name)

    def _ack_generator(self, id: str, queue_name: str) -> Callable[[], Awaitable[None]]:
        acknowledge = super()._ack_generator(id, queue_name)

        async def try_to_acknowledge() -> None:
            # An unacknowledged message is redelivered, which tasks tolerate. ``listen`` logs the outage.
            with suppress(*REDIS_ERRORS):
                await acknowledge()

        return try_to_acknowledge
