"""Counts of rate limits that several processes share in Redis. Imported only where Redis is set."""

from collections.abc import Mapping

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

KEY_PREFIX = "comanda:limit:"


class RedisCounter:
    """Counts in the Redis at ``url``; an answer is waited for at most ``timeout_seconds``."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        self._client: Redis = Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            # Once, because the server may have closed an idle connection.
            retry=Retry(NoBackoff(), 1),
        )

    async def add(self, amounts: Mapping[str, int], seconds: int) -> list[int]:
        """Add to counts, by key, and return them in that order; one round trip. Raises ``ConnectionError``.

        A count is deleted ``seconds`` after it was last added to.
        """
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for key, amount in amounts.items():
                    name = KEY_PREFIX + key
                    pipeline.incrby(name, amount)
                    pipeline.expire(name, seconds)
                answers = await pipeline.execute()
        except RedisError as error:
            raise ConnectionError(str(error) or repr(error)) from error
        return [int(total) for total in answers[::2]]

    async def close(self) -> None:
        """Close the connections to Redis."""
        await self._client.aclose()
