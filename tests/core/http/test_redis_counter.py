"""Counts in Redis: added up under one key, and refused as a connection is when Redis is away."""

import pytest
from comanda.devkit.testing.processes import find_free_port
from comanda.http.redis_counter import RedisCounter


async def test_counts_of_two_processes_add_up(redis_url):
    one, other = RedisCounter(redis_url, 5), RedisCounter(redis_url, 5)

    counts = [await one.increment("redis-counter:1", 60, 1), await other.increment("redis-counter:1", 60, 2)]

    assert counts == [1, 3]
    await one.close()
    await other.close()


async def test_absent_redis_is_a_connection_error():
    counter = RedisCounter(f"redis://127.0.0.1:{find_free_port()}", 5)

    with pytest.raises(ConnectionError):
        await counter.increment("redis-counter:2", 60, 1)

    await counter.close()
