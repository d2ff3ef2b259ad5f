"""Several machines that lose each other: web nodes, worker nodes, the database and Redis are cut off under load.

Nothing is compared with a floor; the findings are times, and counts that must be 0.
"""

import asyncio
import time
from contextlib import ExitStack

import asyncpg

from benchmarks import machines, network
from benchmarks.bench import Bench
from benchmarks.books import check_books
from benchmarks.findings import AT_MOST, Finding
from benchmarks.machines import Machines
from benchmarks.patient_clients import Clients, Phase
from benchmarks.processes import ProcessFailed
from benchmarks.slow_receiver import SlowReceiver

# A lease ends half a minute after its rows were claimed; the next process finds them at its next poll.
TAKEOVER_SECONDS = 40
DRAIN_SECONDS = 120
SELECT_WAITING = """
    SELECT (SELECT count(*) FROM core_pending_event_v1)
        + (SELECT count(*) FROM webhooks_delivery WHERE status = 'pending')
"""


async def measure(bench: Bench) -> None:
    """Cut off one machine after another while orders are placed, and look at the books."""
    async with machines.create_machines() as (made, world):
        with ExitStack() as stack:
            for node in [*made.web, *made.workers]:
                stack.enter_context(made.start(node))
            await machines.wait_until_ready(made)
            async with SlowReceiver(network.HOST_ADDRESS) as receiver, Clients(made.site, world) as clients:
                receiver.secret = await clients.create_endpoint(receiver.url)
                await _rehearse(bench, made, clients)
                await _cut_off_worker(bench, made, clients, receiver)
                await clients.stop()
                await judge(bench, "nodes", made.url, clients, receiver)


async def _rehearse(bench: Bench, made: Machines, clients: Clients) -> None:
    seconds = bench.pace.seconds
    phases = [
        ("nothing is cut off", None, 0.0),
        ("a web node is cut off", made.web[0], 15 * seconds),
        ("the database is cut off shortly", made.database, 1.5 * seconds),
        ("the database is cut off", made.database, 10 * seconds),
        ("Redis is cut off", made.redis, 10 * seconds),
    ]
    for name, node, cut_seconds in phases:
        phase = clients.begin(name)
        await asyncio.sleep(2 * seconds)
        if node is not None:
            node.cut_off()
            await asyncio.sleep(cut_seconds)
            node.reconnect()
        await asyncio.sleep(5 * seconds)
        await clients.finish_phase()
        report(bench, "nodes", phase, cut_seconds)


async def _cut_off_worker(bench: Bench, made: Machines, clients: Clients, receiver: SlowReceiver) -> None:
    """Cut off a worker that holds leases, until another one has done its work."""
    phase = clients.begin("a worker node is cut off")
    receiver.delay_seconds = 0.5
    await asyncio.sleep(2 * bench.pace.seconds)
    before = set(clients.orders)
    made.workers[0].cut_off()
    receiver.delay_seconds = 0
    began = time.monotonic()
    while (missing := before - receiver.orders) and time.monotonic() < began + 2 * TAKEOVER_SECONDS:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    took = time.monotonic() - began
    made.workers[0].reconnect()
    await asyncio.sleep(5 * bench.pace.seconds)
    await clients.finish_phase()
    report(bench, "nodes", phase, took)
    label = "nodes: webhooks of a worker node that was cut off, taken over"
    bench.report.findings.append(Finding(label, "s", took if not missing else float("inf"), AT_MOST, TAKEOVER_SECONDS))


def report(bench: Bench, work: str, phase: Phase, cut_seconds: float) -> None:
    """Add what clients saw in a phase."""
    bench.say(phase.describe())
    label = f"{work}: {phase.name}" + (f" for {cut_seconds:.0f} s" if cut_seconds else "")
    for kind, longest in phase.longest_seconds.items():
        finding = Finding(f"{label}: longest {kind}", "s", longest, AT_MOST, phase.allowed_seconds(cut_seconds))
        bench.report.findings.append(finding)
    bench.report.findings.append(Finding(f"{label}: requests that failed for good", "", len(phase.faults), AT_MOST, 0))


async def judge(bench: Bench, work: str, url: str, clients: Clients, receiver: SlowReceiver) -> None:
    """Compare what clients were told with what is in the books, and with what the receiver got."""
    bench.say(f"{len(clients.orders)} orders were placed; waiting for their events and webhooks")
    await _drain(url)
    found = await check_books(url, clients.orders)
    found["orders without a webhook"] = len(clients.orders.keys() - receiver.orders)
    found["orders with webhooks of several ids"] = receiver.count_ambiguous()
    bench.say(f"{found}; {receiver.repeated} deliveries were repeated")
    for name, count in found.items():
        bench.report.findings.append(Finding(f"{work}: {name}", "", count, AT_MOST, 0))


async def _drain(url: str) -> None:
    """Wait until all events are handled and all webhooks are delivered."""
    connection = await asyncpg.connect(url)
    try:
        deadline = time.monotonic() + DRAIN_SECONDS
        while await connection.fetchval(SELECT_WAITING):
            if time.monotonic() > deadline:
                raise ProcessFailed(f"events or webhooks still wait {DRAIN_SECONDS} seconds after the load")
            await asyncio.sleep(0.2)
    finally:
        await connection.close()
