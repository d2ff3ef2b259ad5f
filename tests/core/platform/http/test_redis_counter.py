"""Counts in Redis: added up under one key, and refused as a connection is when Redis is away."""

import pytest
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.http.redis_counter import RedisCounter
from redis.asyncio import Redis


async def test_counts_of_two_processes_add_up(redis_url):
    one, other = RedisCounter(redis_url, 5), RedisCounter(redis_url, 5)

    counts = [
        await one.add({"redis-counter:1": 1, "redis-counter:2": 5}, 60),
        await other.add({"redis-counter:2": 1, "redis-counter:1": 2}, 60),
    ]

    assert counts == [[1, 5], [6, 3]]
    await one.close()
    await other.close()


async def test_counts_end_with_their_window(redis_url):
    counter = RedisCounter(redis_url, 5)

    await counter.add({"redis-counter:4": 1}, 60)

    async with Redis.from_url(redis_url) as client:
        assert 0 < await client.ttl("comanda:limit:redis-counter:4") <= 60
    await counter.close()


async def test_absent_redis_is_a_connection_error():
    counter = RedisCounter(f"redis://127.0.0.1:{find_free_port()}", 5)

    with pytest.raises(ConnectionError):
        await counter.add({"redis-counter:3": 1}, 60)

    await counter.close()
