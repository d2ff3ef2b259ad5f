"""Rate limits: a fixed window per bucket, counted in the process and, for several processes, added up in Redis."""

import asyncio
import math
import time
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comanda.basics.errors import RateLimited
from comanda.basics.lazy_imports import LazyModule
from comanda.basics.outages import Outage
from comanda.platform.http.window_counts import WindowCounts, settle

if TYPE_CHECKING:
    from comanda.platform.http import redis_counter
else:
    # With its driver it takes 7 MiB of memory and a tenth of a second, which installations without Redis are spared.
    redis_counter = LazyModule("comanda.platform.http.redis_counter")

WINDOW_SECONDS = 60
# How long other processes do not know what one has counted, unless a limit is exact.
SETTLE_SECONDS = 0.05
# Redis is waited for at most this long. After a failure no request waits for it until a probe, which runs this often,
# succeeds.
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
    agree on them. A bucket is counted in one of two ways, always the same one:

    - exactly: each hit is a round trip to Redis, and no hit beyond the limit passes;
    - otherwise in the process, which adds what it counted to Redis every ``SETTLE_SECONDS``, in one round trip for all
      buckets, and learns what the others counted. In a window, each process lets through at most what arrives there in
      one such interval after the limit was reached, and never more than the limit.

    When Redis does not answer, each process counts for itself: orders must not fail for a rate limit.
    """

    def __init__(self, redis_url: str | None = None) -> None:
        self._counts = WindowCounts()
        self._shared = redis_counter.RedisCounter(redis_url, REDIS_TIMEOUT_SECONDS) if redis_url else None
        self._outage = Outage("limits_redis", "Each process counts rate limits for itself.")
        self._settling: asyncio.Task[None] | None = None
        self._round_trip = asyncio.Lock()

    async def hit(self, bucket: str, limit: int, cost: int = 1, *, is_exact: bool = True) -> Allowance:
        """Count a request of the given ``cost``. Raises ``LimitExceeded`` if the allowance is used up."""
        moment = time.time()
        window = int(moment // WINDOW_SECONDS)
        count = await self._count_exactly(bucket, window, cost) if is_exact else self._count(bucket, window, cost)
        reset = max(1, math.ceil((window + 1) * WINDOW_SECONDS - moment))
        allowance = Allowance(limit, max(0, limit - count), reset)
        if count > limit:
            raise LimitExceeded(allowance)
        return allowance

    async def close(self) -> None:
        """Tell other processes what they do not know yet, and close the connections to Redis."""
        if self._settling is not None:
            async with self._round_trip:
                self._settling.cancel()
            await asyncio.gather(self._settling, return_exceptions=True)
        if self._shared is not None:
            if not self._outage.is_open:
                await self._settle(self._shared)
            await self._shared.close()

    async def _count_exactly(self, bucket: str, window: int, cost: int) -> int:
        if self._shared is None or self._outage.is_open:
            return self._count(bucket, window, cost)
        try:
            (total,) = await self._shared.add({f"{bucket}:{window}": cost}, WINDOW_SECONDS)
        except OSError as error:
            self._outage.begin(error)
            return self._count(bucket, window, cost)
        return self._counts.record_shared(bucket, window, total)

    def _count(self, bucket: str, window: int, cost: int) -> int:
        if self._shared is not None and (self._settling is None or self._settling.done()):
            # It outlives the request, whose context is not its own.
            self._settling = asyncio.get_running_loop().create_task(
                self._settle_until_idle(self._shared), context=Context()
            )
        return self._counts.add(bucket, window, cost)

    async def _settle_until_idle(self, shared: "redis_counter.RedisCounter") -> None:
        is_idle = False
        while not is_idle:
            await asyncio.sleep(PROBE_SECONDS if self._outage.is_open else SETTLE_SECONDS)
            async with self._round_trip:
                await self._settle(shared)
            is_idle = not self._counts.has_pending and not self._outage.is_open

    async def _settle(self, shared: "redis_counter.RedisCounter") -> None:
        """Add what this process counted to the shared counts; after a failure, only see whether Redis is back."""
        if self._outage.is_open:
            try:
                await shared.add({"probe": 1}, WINDOW_SECONDS)
            except OSError:
                return
            self._outage.end()
        window, counts = self._counts.take_pending()
        if not counts:
            return
        totals: Sequence[int | None] = [None] * len(counts)
        amounts = {f"{bucket}:{window}": count.in_flight for bucket, count in counts.items()}
        try:
            totals = await shared.add(amounts, WINDOW_SECONDS)
        except OSError as error:
            self._outage.begin(error)
        finally:
            for count, total in zip(counts.values(), totals, strict=True):
                settle(count, total)
