"""Counts of rate limits that several processes share in Redis. Imported only where Redis is set."""

from typing import Any

from limits.aio.storage import RedisStorage
from redis.exceptions import RedisError


class RedisCounter:
    """Counts in the Redis at ``url``; a request waits for it at most ``timeout_seconds``."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        # The library's scheme for a Unix socket.
        address = f"redis+{url}" if url.startswith("unix:") else url
        self._storage = RedisStorage(
            f"async+{address}",
            implementation="redispy",
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
        )

    async def increment(self, key: str, window_seconds: int, cost: int) -> int:
        """Add ``cost`` to a count that ends with its window, and return it. Raises ``ConnectionError``."""
        try:
            return await self._storage.incr(f"comanda:limit:{key}", window_seconds, cost)
        except RedisError as error:
            raise ConnectionError(str(error) or repr(error)) from error

    async def close(self) -> None:
        """Close the connections to Redis."""
        bridge: Any = self._storage.bridge  # its client is not part of the declared type
        await bridge.storage.aclose()
