"""Log tables that are partitioned while an order is placed every 10 ms, and what partitions cost an order."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import asyncpg
from comanda.contracts.data.log_tables import LogTable
from comanda.platform.audit_log import retention
from comanda.platform.events import dispatcher
from comanda_cluster.services.partitions import conversion, maintenance
from comanda_cluster.services.partitions.sessions import open_session

from benchmarks import cluster
from benchmarks.bench import FULL, Bench, Program
from benchmarks.findings import AT_MOST, Finding
from benchmarks.patient_clients import Clients
from benchmarks.processes import ProcessFailed

EVENTS: Final = 5_000_000
FEW_EVENTS: Final = 100_000
ORDERS_PER_SECOND: Final = 100
MAX_WAIT_SECONDS: Final = 1.0
SETTLE_SECONDS: Final = 5.0
REPORT_SECONDS: Final = 3.0
PATIENCE_SECONDS: Final = 60.0
# So many more partitions than there are in a year of months.
PARTITIONS: Final = 12
CONNECTIONS: Final = (1, 16)
WORK: Final = "partitions: order of 3 lines"
CPU_OF_ONE_TABLE: Final = 1.05
LOGS: Final = (dispatcher.LOG, replace(retention.LOG, retention=lambda: timedelta(days=400)))
INSERT_EVENTS: Final = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at, done_at)
    SELECT 1, 1, 'menu.updated', jsonb_build_object('id', n), now(), now(), now() FROM generate_series(1, $1) n
"""


async def measure(bench: Bench) -> None:
    """Partition tables beside orders, retire a partition beside them, and compare orders with those of one table."""
    events = EVENTS if bench.pace is FULL else FEW_EVENTS
    url = await bench.cluster.create("bench_partitions", template="bench")
    bench.say(f"partitions: making {events:,} events")
    await cluster.execute(url, INSERT_EVENTS.replace("$1", str(events)))
    await cluster.execute(url, "ANALYZE core_outbox")
    with bench.comanda(url, COMANDA_MAX_CONNECTIONS_PER_ADDRESS="0") as (server, port):
        await server.answers(port, f"/api/v1/menu/{bench.world.shops[0].id}")
        await _measure_waits(bench, url, port, events)
    await _compare_orders(bench)


async def _measure_waits(bench: Bench, url: str, port: int, events: int) -> None:
    now = datetime.now(UTC)
    address = f"http://127.0.0.1:{port}"
    async with Clients(address, bench.world, orders_per_second=ORDERS_PER_SECOND, streams=0) as clients:
        # The first orders find cold caches.
        clients.begin("warm-up")
        await asyncio.sleep(SETTLE_SECONDS)
        phases = [clients.begin("before partitions")]
        await asyncio.sleep(SETTLE_SECONDS)
        phases.append(clients.begin(f"partitioning {events:,} events"))
        for log in LOGS:
            await _beside_report(url, log, now)
        phases.append(clients.begin("beginning of a period, and the end of an old one"))
        await _retire_first_partition(bench, url, now + timedelta(days=20))
        await clients.stop()
    for phase in phases:
        bench.say(phase.describe())
        if phase.faults:
            raise ProcessFailed(f"{phase.name}: {phase.faults[:3]}")
        longest = phase.longest_seconds["order"]
        bench.report.findings.append(Finding(f"{phase.name}: longest order", "s", longest, AT_MOST, MAX_WAIT_SECONDS))


async def _beside_report(url: str, log: LogTable, moment: datetime) -> None:
    """Partition a table while a transaction that has read it stays open for some seconds."""
    reader = await asyncpg.connect(url)
    try:
        report = reader.transaction()
        await report.start()
        await reader.fetchval(f"SELECT count(*) FROM (SELECT FROM {log.name} LIMIT 1000) rows")
        partitioning = asyncio.create_task(_partition(url, log, moment))
        await asyncio.sleep(REPORT_SECONDS)
        await report.rollback()
        await partitioning
    finally:
        await reader.close()


async def _partition(url: str, log: LogTable, moment: datetime) -> None:
    async with open_session(url) as session:
        async for _ in conversion.convert(session, log, moment, PATIENCE_SECONDS):
            pass


async def _retire_first_partition(bench: Bench, url: str, moment: datetime) -> None:
    """Maintain the partitions of some weeks until the first one is dropped."""
    async with open_session(url) as session:
        while True:
            async for line in maintenance.maintain(session, dispatcher.LOG, moment, PATIENCE_SECONDS):
                bench.say(" ".join(line.split()))
                if line.startswith("dropped"):
                    return
            # The events of the last orders before still wait for their handlers.
            await asyncio.sleep(1)


async def _compare_orders(bench: Bench) -> None:
    """Place orders on a database whose events and audit log are one table each, and on one with many partitions."""
    one, many = [await bench.cluster.create(f"bench_{name}", template="bench") for name in ("one_table", "partitioned")]
    for log in LOGS:
        await _partition(many, log, datetime.now(UTC))
        async with open_session(many) as session:
            await _add_partitions(session, log)
    request = bench.world.order_request(bench.world.shops[0])
    path = f"/api/v1/menu/{bench.world.shops[0].id}"
    with bench.comanda(one) as (plain, plain_port), bench.comanda(many) as (divided, divided_port):
        await plain.answers(plain_port, path)
        await divided.answers(divided_port, path)
        programs = [
            Program("partitions", divided, divided_port, [request], many),
            Program("one table", plain, plain_port, [request], one),
        ]
        for connections in CONNECTIONS:
            found = await bench.compare(WORK, programs, connections, [one, many])
            bench.report.findings.append(
                Finding.of_rounds(
                    f"{WORK}, {connections} connections, CPU of the database beside one table's", "ms",
                    found["partitions"].database_cpus_ms, found["one table"].database_cpus_ms,
                    AT_MOST, CPU_OF_ONE_TABLE,
                )
            )  # fmt: skip


async def _add_partitions(session: "asyncpg.Connection[asyncpg.Record]", log: LogTable) -> None:
    """Create partitions until there are ``PARTITIONS``, as if it were later."""
    moment = datetime.now(UTC)
    while (
        await session.fetchval("SELECT count(*) FROM pg_inherits WHERE inhparent = $1::text::regclass", log.name)
        < PARTITIONS
    ):
        moment += timedelta(days=7)
        await maintenance.create_spare_partitions(session, log, moment)
