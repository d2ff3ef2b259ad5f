"""Hours of steady use: nothing may grow that does not belong to the orders, and the books must be right.

``COMANDA_BENCH_SOAK_SECONDS`` says how long it takes, an hour by default, and ``COMANDA_BENCH_SOAK_RATE`` how many
orders a second are placed, which should be half of what the machine can take.
"""

import asyncio
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

import asyncpg
from redis.asyncio import Redis

from benchmarks import machines, network, processes
from benchmarks.bench import Bench
from benchmarks.findings import AT_MOST, Finding
from benchmarks.machines import Machines
from benchmarks.measures.nodes import judge
from benchmarks.network import Node
from benchmarks.patient_clients import Clients
from benchmarks.processes import Child
from benchmarks.slow_receiver import SlowReceiver
from benchmarks.visitors import Visitors

SECONDS = 3600.0
QUICK_SECONDS = 60.0
ORDERS_PER_SECOND = 60.0
SAMPLES = 60
# What the second quarter may have less than the last one. Before, caches fill.
GROWTH = {
    "memory of a web process, MiB": 15,
    "memory of a worker, MiB": 15,
    "descriptors of a web process": 20,
    "descriptors of a worker": 20,
    "connections to the database": 4,
    "keys in Redis": 500,
    "memory of Redis, MiB": 10,
    "files of queues, MiB": 16,
}
# Rows that are dead, in tables of any size, wait for a vacuum at a fifth of the table and 50 rows; twice that is late.
DEAD_SHARE = 0.4
DEAD_ROWS = 5000
SELECT_DEAD = """
    SELECT relname, n_dead_tup FROM pg_stat_user_tables WHERE n_dead_tup > $1 AND n_dead_tup > $2 * n_live_tup
"""
# Tables of work to be done, which are empty in between; their files may not grow with the orders.
SELECT_QUEUE_MIB = """
    SELECT sum(pg_total_relation_size(relid))::float / 1048576 FROM pg_stat_user_tables
    WHERE relname IN ('core_outbox', 'core_event_lane', 'core_task_turn')
"""
REQUEST_SECONDS = 2.0


@dataclass(slots=True)
class Sampler:
    """Reads what processes, the database and Redis hold."""

    made: Machines
    children: dict[Node, Child]
    redis: Redis
    connection: asyncpg.Connection

    async def sample(self) -> dict[str, float]:
        """Return what is held now, by the names in ``GROWTH``; of several processes the largest."""
        info = await self.redis.info("memory")
        return {
            "memory of a web process, MiB": self._get_most_memory(self.made.web),
            "memory of a worker, MiB": self._get_most_memory(self.made.workers),
            "descriptors of a web process": self._get_most_descriptors(self.made.web),
            "descriptors of a worker": self._get_most_descriptors(self.made.workers),
            "connections to the database": await self.connection.fetchval(
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            ),
            "keys in Redis": await self.redis.dbsize(),
            "memory of Redis, MiB": info["used_memory"] / 2**20,
            "files of queues, MiB": await self.connection.fetchval(SELECT_QUEUE_MIB),
        }

    def _get_most_memory(self, nodes: list[Node]) -> float:
        return max(processes.memory_mib(self.children[node].pid)[1] for node in nodes)

    def _get_most_descriptors(self, nodes: list[Node]) -> int:
        return max(processes.count_descriptors(self.children[node].pid) for node in nodes)


async def measure(bench: Bench) -> None:
    """Let guests, owners and agents use an installation for long."""
    seconds = float(os.environ.get("COMANDA_BENCH_SOAK_SECONDS", SECONDS if bench.pace.seconds > 1 else QUICK_SECONDS))
    rate = float(os.environ.get("COMANDA_BENCH_SOAK_RATE", ORDERS_PER_SECOND))
    async with machines.create_machines() as (made, world):
        with ExitStack() as stack:
            children = {node: stack.enter_context(made.start(node)) for node in [*made.web, *made.workers]}
            await machines.wait_until_ready(made)
            redis: Redis = Redis(host=made.redis.address, port=machines.REDIS_PORT)
            sampler = Sampler(made, children, redis, await asyncpg.connect(made.url))
            async with (
                SlowReceiver(network.HOST_ADDRESS) as receiver,
                Clients(made.site, world, orders_per_second=rate) as clients,
                Visitors(made.site, world, clients) as visitors,
            ):
                receiver.secret = await clients.create_endpoint(receiver.url)
                phase = clients.begin("steady use")
                samples = await _sample(bench, sampler, seconds)
                await clients.stop()
                bench.say(phase.describe())
                bench.say(f"{dict(visitors.answers)}; {visitors.left} left in the middle")
                _judge_growth(bench, samples)
                for kind in ("order", "menu"):
                    ordered = sorted(phase.seconds[kind])
                    slow = ordered[len(ordered) * 999 // 1000]
                    label = f"soak: 99.9 % of {len(ordered):,} requests ({kind})"
                    bench.report.findings.append(Finding(label, "s", slow, AT_MOST, REQUEST_SECONDS))
                faults = len(phase.faults) + sum(visitors.faults.values())
                bench.say(f"faults: {phase.faults[:5]}, {visitors.faults}")
                bench.report.findings.append(Finding("soak: requests that failed", "", faults, AT_MOST, 0))
                await judge(bench, "soak", made.url, clients, receiver)
            await _judge_tables(bench, sampler.connection)
            await sampler.connection.close()
            await redis.aclose()


async def _sample(bench: Bench, sampler: Sampler, seconds: float) -> list[dict[str, float]]:
    samples, began = [], time.monotonic()
    for number in range(1, SAMPLES + 1):
        await asyncio.sleep(max(0.0, began + number * seconds / SAMPLES - time.monotonic()))
        samples.append(await sampler.sample())
        if number % (SAMPLES // 10) == 0:
            held = ", ".join(f"{name} {value:.0f}" for name, value in samples[-1].items())
            bench.say(f"after {time.monotonic() - began:.0f} s: {held}")
    return samples


def _judge_growth(bench: Bench, samples: list[dict[str, float]]) -> None:
    quarter = len(samples) // 4
    for name, allowed in GROWTH.items():
        before = median(sample[name] for sample in samples[quarter : 2 * quarter])
        after = median(sample[name] for sample in samples[-quarter:])
        label = f"soak: growth of {name} (from {before:.0f})"
        bench.report.findings.append(Finding(label, "", after - before, AT_MOST, allowed))


async def _judge_tables(bench: Bench, connection: asyncpg.Connection) -> None:
    late = await connection.fetch(SELECT_DEAD, DEAD_ROWS, DEAD_SHARE)
    bench.say(f"tables with many dead rows: {[dict(row) for row in late]}")
    bench.report.findings.append(Finding("soak: tables that are vacuumed late", "", len(late), AT_MOST, 0))
