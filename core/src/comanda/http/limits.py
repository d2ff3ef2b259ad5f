"""Rate limits: a fixed window per bucket, counted in memory for one process and in Redis for several."""

import time
from dataclasses import dataclass

import structlog
from limits.aio.storage import MemoryStorage, RedisStorage, Storage

from comanda.errors import RateLimited

log = structlog.get_logger(__name__)

WINDOW_SECONDS = 60


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
        self._memory: Storage = MemoryStorage()
        self._shared: Storage | None = (
            RedisStorage(f"async+{redis_url}", implementation="redispy") if redis_url else None
        )

    async def hit(self, bucket: str, limit: int) -> Allowance:
        """Count one request. Raises ``LimitExceeded`` when the window's allowance is used up."""
        moment = time.time()
        window = int(moment // WINDOW_SECONDS)
        count = await self._count(f"comanda:limit:{bucket}:{window}")
        reset = max(1, round((window + 1) * WINDOW_SECONDS - moment))
        allowance = Allowance(limit, max(0, limit - count), reset)
        if count > limit:
            raise LimitExceeded(allowance)
        return allowance

    async def _count(self, key: str) -> int:
        if self._shared is not None:
            try:
                return await self._shared.incr(key, WINDOW_SECONDS)
            except self._shared.base_exceptions as error:
                log.warning("limits_redis_unavailable", error=str(error))
        return await self._memory.incr(key, WINDOW_SECONDS)
