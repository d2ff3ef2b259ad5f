"""A migration of a table with ten million orders while an order is placed every 10 ms: nobody waits for it."""

import asyncio
import importlib
import sys
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from comanda_migrations import runner

from benchmarks import world
from benchmarks.bench import FULL, Bench
from benchmarks.findings import AT_MOST, Finding
from benchmarks.patient_clients import Clients
from benchmarks.processes import ProcessFailed

ORDERS = 10_000_000
FEW_ORDERS = 100_000
ORDERS_PER_SECOND = 100
# Nobody may wait for longer than this because of a migration.
MAX_WAIT_SECONDS = 1.0
SETTLE_SECONDS = 5.0
REPORT_SECONDS = 3.0
FILE = '''\
RUN_IN_TRANSACTION = {is_transaction}


async def upgrade(db):
    return """{sql}"""


MODELS_STATE = "{state}"
'''
# What a new feature brings: a table, a column of orders that refers to it, and an index for the lists of them.
FILES = (
    (
        "0_20260101000000_courier.py",
        True,
        """
        CREATE TABLE rehearsal_courier (
            id bigint NOT NULL, owner_id bigint NOT NULL, PRIMARY KEY (id, owner_id));
        ALTER TABLE core_order ADD COLUMN courier_id bigint;
        ALTER TABLE core_order ADD COLUMN is_insured boolean NOT NULL DEFAULT false;
        ALTER TABLE core_order ADD CONSTRAINT core_order_courier
            FOREIGN KEY (courier_id, owner_id) REFERENCES rehearsal_courier (id, owner_id) NOT VALID;
        """,
    ),
    (
        "1_20260101000100_courier_index.py",
        False,
        """
        CREATE INDEX CONCURRENTLY IF NOT EXISTS core_order_by_courier ON core_order (courier_id, owner_id, created_at);
        ALTER TABLE core_order VALIDATE CONSTRAINT core_order_courier;
        """,
    ),
)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The history of the app that is migrated."""

    app: str = "rehearsal"
    modules: tuple[str, ...] = ()
    migrations: str = "rehearsal_migrations"


async def measure(bench: Bench) -> None:
    """Place orders before and during a migration, and beside a report that reads orders meanwhile."""
    orders = ORDERS if bench.pace is FULL else FEW_ORDERS
    url = await bench.cluster.create("bench_migration", template="bench")
    bench.say(f"migration: making {orders:,} orders")
    await world.seed_orders(url, bench.world, orders, world.FIRST_ORDER_AT - orders * world.ORDER_SPACING)
    with _migrations(), bench.comanda(url, COMANDA_MAX_CONNECTIONS_PER_ADDRESS="0") as (server, port):
        await server.answers(port, f"/api/v1/menu/{bench.world.shops[0].id}")
        async with Clients(
            f"http://127.0.0.1:{port}", bench.world, orders_per_second=ORDERS_PER_SECOND, streams=0
        ) as clients:
            # The first orders find cold caches.
            clients.begin("warm-up")
            await asyncio.sleep(SETTLE_SECONDS)
            before = clients.begin("before a migration")
            await asyncio.sleep(SETTLE_SECONDS)
            during = clients.begin(f"migration of {orders:,} orders")
            applied = await _migrate_beside_report(url)
            await asyncio.sleep(1)
            await clients.stop()
    for phase in (before, during):
        bench.say(phase.describe())
        if phase.faults:
            raise ProcessFailed(f"{phase.name}: {phase.faults[:3]}")
        longest = phase.longest_seconds["order"]
        bench.report.findings.append(Finding(f"{phase.name}: longest order", "s", longest, AT_MOST, MAX_WAIT_SECONDS))
    for step in applied:
        bench.say(f"{step.version} took {step.seconds:.1f} s")


async def _migrate_beside_report(url: str) -> list[runner.AppliedStep]:
    """Migrate while a transaction reads orders for some seconds, behind which the migration has to wait."""
    connection = await asyncpg.connect(url)
    try:
        report = connection.transaction()
        await report.start()
        await connection.fetchval("SELECT count(*) FROM (SELECT FROM core_order LIMIT 1000) orders")
        migrating = asyncio.create_task(runner.migrate(url, [Rehearsal()]))
        await asyncio.sleep(REPORT_SECONDS)
        await report.rollback()
        return await migrating
    finally:
        await connection.close()


@contextmanager
def _migrations() -> Iterator[None]:
    """Put the package of the migrations on the import path."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / Rehearsal().migrations
        package.mkdir()
        state = b64encode(zlib.compress(b"{}")).decode()
        for name, is_transaction, sql in FILES:
            (package / name).write_text(FILE.format(is_transaction=is_transaction, sql=sql, state=state))
        (package / "__init__.py").touch()
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield
        finally:
            sys.path.remove(folder)
