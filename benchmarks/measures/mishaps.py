"""What happens to machines: Redis loses all it held, clocks jump, and the disk of the database is full.

Clocks jump only where libfaketime is installed (Debian: ``faketime``).
"""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import asyncpg
from redis.asyncio import Redis

from benchmarks import machines, network, small_disk
from benchmarks.bench import Bench
from benchmarks.machines import Machines
from benchmarks.measures.nodes import judge, report
from benchmarks.patient_clients import Clients
from benchmarks.processes import ProcessFailed
from benchmarks.slow_receiver import SlowReceiver

# A database with its log, and some space until it is full.
DISK_MEBIBYTES: Final = 700
CLOCK_LIBRARIES: Final = "/usr/lib/*/faketime/libfaketimeMT.so.1"
JUMP_SECONDS: Final = 60
JUMPS: Final = (f"+{JUMP_SECONDS}s", "+0s", f"-{JUMP_SECONDS}s", "+0s")
TIMES_EMPTIED: Final = 5
# The clock of the database does not jump.
SELECT_AHEAD: Final = "SELECT extract(epoch FROM max(created_at) - now())::float FROM core_order"


async def measure(bench: Bench) -> None:
    """Let each of them happen while orders are placed, and look at the books."""
    async with machines.create_machines(DISK_MEBIBYTES) as (made, world):
        clock = made.folder / "clock"
        clock.write_text(JUMPS[-1])
        variables = _fake_clock(clock)
        with ExitStack() as stack:
            for node in [*made.web, *made.workers]:
                stack.enter_context(made.start(node, **variables))
            await machines.wait_until_ready(made)
            async with SlowReceiver(network.HOST_ADDRESS) as receiver, Clients(made.site, world) as clients:
                receiver.secret = await clients.create_endpoint(receiver.url)
                await _empty_redis(bench, made, clients)
                await _fill_disk(bench, made, clients)
                if variables:
                    await _move_clocks(bench, made, clock, clients)
                else:
                    bench.say("libfaketime is not installed; clocks do not jump")
                await clients.stop()
                await judge(bench, "mishaps", made.url, clients, receiver)


def _fake_clock(file: Path) -> dict[str, str]:
    """Return the variables with which a process reads how far its clock is off from a file."""
    libraries = sorted(Path("/").glob(CLOCK_LIBRARIES.removeprefix("/")))
    if not libraries:
        return {}
    return {
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


async def _empty_redis(bench: Bench, made: Machines, clients: Clients) -> None:
    phase = clients.begin("Redis is emptied")
    async with Redis(host=made.redis.address, port=machines.REDIS_PORT) as redis:
        for _ in range(TIMES_EMPTIED):
            await asyncio.sleep(bench.pace.seconds)
            await redis.flushall()
    await asyncio.sleep(5 * bench.pace.seconds)
    await clients.finish_phase()
    report(bench, "mishaps", phase, 0)


async def _fill_disk(bench: Bench, made: Machines, clients: Clients) -> None:
    phase = clients.begin("the disk of the database is full")
    seconds = 7 * bench.pace.seconds
    await asyncio.sleep(bench.pace.seconds)
    file = await asyncio.to_thread(small_disk.fill, (made.folder / "postgres").resolve())
    await asyncio.sleep(seconds)
    file.unlink()
    await asyncio.sleep(5 * bench.pace.seconds)
    await clients.finish_phase()
    if not phase.attempts["order"]:
        raise ProcessFailed("the disk was not full: every order was placed at once")
    report(bench, "mishaps", phase, seconds)


async def _move_clocks(bench: Bench, made: Machines, clock: Path, clients: Clients) -> None:
    phase = clients.begin("the clocks of Comanda's machines jump by a minute, ahead and back")
    connection = await asyncpg.connect(made.url)
    ahead = []
    for jump in JUMPS:
        await asyncio.to_thread(clock.write_text, jump)
        await asyncio.sleep(3 * bench.pace.seconds)
        ahead.append(await connection.fetchval(SELECT_AHEAD))
    await connection.close()
    if ahead[0] < JUMP_SECONDS / 2:
        raise ProcessFailed(f"the clocks did not jump: {ahead}")
    await asyncio.sleep(5 * bench.pace.seconds)
    await clients.finish_phase()
    report(bench, "mishaps", phase, 0)
