"""Rate limits: a fixed window per bucket, counted in memory for one process and in Redis for several."""

import asyncio
import math
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comanda.errors import RateLimited
from comanda.outages import Outage

if TYPE_CHECKING:
    from comanda.http.redis_counter import RedisCounter

WINDOW_SECONDS = 60
# A request waits at most this long for Redis. After a failure no request waits for it until a probe, which runs this
# often, succeeds.
REDIS_TIMEOUT_SECONDS = 0.25
PROBE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """The remaining allowance of a bucket in its current window."""

    limit: int
    remaining: int
    reset_seconds: int

    def headers(self) -> dict[str, str]:
        """Return the ``X-RateLimit`` headers and those of the IETF draft."""
        limit, remaining, reset = str(self.limit), str(self.remaining), str(self.reset_seconds)
        return {
            "X-RateLimit-Limit": limit,
            "X-RateLimit-Remaining": remaining,
            "X-RateLimit-Reset": reset,
            "RateLimit-Policy": f'"default";q={limit};w={WINDOW_SECONDS}',
            "RateLimit": f'"default";r={remaining};t={reset}',
        }


class LimitExceeded(RateLimited):
    """The allowance of a bucket is used up; the error carries the rate limit headers."""

    def __init__(self, allowance: Allowance) -> None:
        super().__init__(allowance.reset_seconds)
        self.headers.update(allowance.headers())


class RateLimiter:
    """Counts requests per bucket and window.

    Windows are aligned with the clock, so that one increment yields both the count and the reset time and all processes
    agree on them. When Redis does not answer, each process counts for itself: orders must not fail for a rate limit.
    """

    def __init__(self, redis_url: str | None = None) -> None:
        self._memory = _MemoryCounter()
        self._shared = _open_redis(redis_url) if redis_url else None
        self._outage = Outage("limits_redis", "Each process counts rate limits for itself.")
        self._probing: asyncio.Task[None] | None = None

    async def hit(self, bucket: str, limit: int, cost: int = 1) -> Allowance:
        """Count a request of the given ``cost``. Raises ``LimitExceeded`` if the allowance is used up."""
        moment = time.time()
        window = int(moment // WINDOW_SECONDS)
        count = await self._count(bucket, window, cost)
        reset = max(1, math.ceil((window + 1) * WINDOW_SECONDS - moment))
        allowance = Allowance(limit, max(0, limit - count), reset)
        if count > limit:
            raise LimitExceeded(allowance)
        return allowance

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)
        if self._shared is not None:
            await self._shared.close()

    async def _count(self, bucket: str, window: int, cost: int) -> int:
        if self._shared is None or self._outage.is_open:
            return self._memory.increment(bucket, window, cost)
        try:
            return await self._shared.increment(f"{bucket}:{window}", WINDOW_SECONDS, cost)
        except OSError as error:
            self._outage.begin(error)
            if self._probing is None or self._probing.done():
                self._probing = asyncio.create_task(self._probe(self._shared))
            return self._memory.increment(bucket, window, cost)

    async def _probe(self, shared: "RedisCounter") -> None:
        """Wait until Redis is available and return to shared counts."""
        while self._outage.is_open:
            await asyncio.sleep(PROBE_SECONDS)
            try:
                await shared.increment("probe", WINDOW_SECONDS, 1)
            except OSError:
                continue
            self._outage.end()


class _MemoryCounter:
    """Counts within one process. All buckets share the window, so a new window resets all counts."""

    def __init__(self) -> None:
        self._window = 0
        self._counts: Counter[str] = Counter()

    def increment(self, bucket: str, window: int, cost: int) -> int:
        if window != self._window:
            self._window, self._counts = window, Counter()
        self._counts[bucket] += cost
        return self._counts[bucket]


def _open_redis(url: str) -> "RedisCounter":
    # With its driver it takes 7 MiB of memory and a tenth of a second, which installations without Redis are spared.
    from comanda.http.redis_counter import RedisCounter  # noqa: PLC0415

    return RedisCounter(url, REDIS_TIMEOUT_SECONDS)
