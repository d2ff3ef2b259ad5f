"""Rate limits: a fixed window per bucket, counted in memory for one process and in Redis for several."""

import math
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import structlog
from limits.aio.storage import RedisStorage
from redis.exceptions import RedisError

from comanda.errors import RateLimited

log = structlog.get_logger(__name__)

WINDOW_SECONDS = 60
# A request waits this long for Redis at the most, and after a failure no request waits for it for a while.
REDIS_TIMEOUT_SECONDS = 0.25
REDIS_PAUSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a bucket's window."""

    limit: int
    remaining: int
    reset_seconds: int

    def headers(self) -> dict[str, str]:
        """Say it in the three headers that the specification asks for, and in those of the IETF draft."""
        limit, remaining, reset = str(self.limit), str(self.remaining), str(self.reset_seconds)
        return {
            "X-RateLimit-Limit": limit,
            "X-RateLimit-Remaining": remaining,
            "X-RateLimit-Reset": reset,
            "RateLimit-Policy": f'"default";q={limit};w={WINDOW_SECONDS}',
            "RateLimit": f'"default";r={remaining};t={reset}',
        }


class LimitExceeded(RateLimited):
    """A bucket is used up; carries the allowance for the headers."""

    def __init__(self, allowance: Allowance) -> None:
        super().__init__(allowance.reset_seconds)
        self.headers.update(allowance.headers())


class Limiter:
    """Counts hits per bucket and window.

    Windows are cut by the clock, so that one increment answers the count and the reset without a second question, and
    so that every process agrees on them. When Redis does not answer, a process counts for itself until it does: a
    limit is no reason to turn orders away.
    """

    def __init__(self, redis_url: str | None = None) -> None:
        self._memory = _Memory()
        self._shared = _redis(redis_url) if redis_url else None
        self._shared_from = 0.0

    async def hit(self, bucket: str, limit: int, cost: int = 1) -> Allowance:
        """Count a request that is worth ``cost``. Raises ``LimitExceeded`` when the window's allowance is used up."""
        moment = time.time()
        window = int(moment // WINDOW_SECONDS)
        count = await self._count(bucket, window, cost)
        reset = max(1, math.ceil((window + 1) * WINDOW_SECONDS - moment))
        allowance = Allowance(limit, max(0, limit - count), reset)
        if count > limit:
            raise LimitExceeded(allowance)
        return allowance

    async def close(self) -> None:
        """Give back the connections to Redis."""
        if self._shared is not None:
            bridge: Any = self._shared.bridge  # its client is not part of the declared type
            await bridge.storage.aclose()

    async def _count(self, bucket: str, window: int, cost: int) -> int:
        if self._shared is None or time.monotonic() < self._shared_from:
            return self._memory.increment(bucket, window, cost)
        try:
            return await self._shared.incr(f"comanda:limit:{bucket}:{window}", WINDOW_SECONDS, cost)
        except (RedisError, OSError) as error:
            self._shared_from = time.monotonic() + REDIS_PAUSE_SECONDS
            log.warning("limits_redis_unavailable", error=str(error), pause_seconds=REDIS_PAUSE_SECONDS)
            return self._memory.increment(bucket, window, cost)


class _Memory:
    """Counts within one process. All buckets share their windows, so the first hit of one forgets the last."""

    def __init__(self) -> None:
        self._window = 0
        self._counts: Counter[str] = Counter()

    def increment(self, bucket: str, window: int, cost: int) -> int:
        if window != self._window:
            self._window, self._counts = window, Counter()
        self._counts[bucket] += cost
        return self._counts[bucket]


def _redis(url: str) -> RedisStorage:
    # The library's own name for a socket of this machine.
    address = f"redis+{url}" if url.startswith("unix:") else url
    return RedisStorage(
        f"async+{address}",
        implementation="redispy",
        socket_timeout=REDIS_TIMEOUT_SECONDS,
        socket_connect_timeout=REDIS_TIMEOUT_SECONDS,
    )
