"""Reporting 30 days of a store that took a million orders in 90, and counting those orders for the first time."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from statistics import median

import asyncpg

from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_MOST, Finding
from benchmarks.processes import ProcessFailed

WORK = "analytics of 30 days"
DAY_REPORT = "day report of 30 days"
MOST_MS = 150
CONNECTIONS = 1
COUNT_SECONDS = 600
# What each plugin that reports knows of its stores.
TABLES = ("analytics_store", "closings_store")

# Evenly over the 90 days that end now; one in twenty is cancelled, one in four is not paid.
ORDERS = """
    INSERT INTO core_order (
        owner_id, store_id, number, business_date, type, status, payment_status, currency, subtotal_minor,
        discount_total_minor, service_charge_minor, delivery_fee_minor, tax_total_minor, is_tax_included, tip_minor,
        rounding_minor, total_minor, paid_minor, paid_at, customer_name, source, audience, track_token, track_hash,
        timeline, created_at, updated_at)
    SELECT {owner_id}, {store_id}, n % 300 + 1, m.moment::date,
        (ARRAY['takeaway', 'on-table', 'delivery'])[n % 3 + 1],
        CASE WHEN n % 20 = 0 THEN 'cancelled' WHEN n % 20 = 1 THEN 'preparing' ELSE 'completed' END,
        CASE WHEN n % 4 = 0 THEN 'unpaid' ELSE 'paid' END, 'EUR', 2350, 0, 0, 0, 0, true, 0,
        0, 2350, CASE WHEN n % 4 = 0 THEN 0 ELSE 2350 END, CASE WHEN n % 4 > 0 THEN m.moment END,
        'Guest ' || n % 5000, 'api', 'owner', t.token, sha256(t.token::bytea), '{{}}', m.moment, m.moment
    FROM generate_series(1, {orders}) AS n,
        LATERAL (SELECT md5(n::text) || '12345678901' AS token) AS t,
        LATERAL (SELECT now() - interval '90 days' * (1 - n::float / {orders}) AS moment) AS m
"""
LINES = """
    INSERT INTO core_order_line (
        owner_id, order_id, position, item_id, name, quantity, unit_price_minor, extras, discount_minor, tax_minor,
        tax_rate_ppm, total_minor)
    SELECT o.owner_id, o.id, position, 1 + (o.id * 7 + position * 13) % 50, 'Dish', 1 + position, 700, '[]', 0, 0, 0,
        700
    FROM core_order o, generate_series(0, 1) AS position
"""
TALLY = """
    INSERT INTO core_order_tally (store_id, owner_id, business_date, last_number, preparing, completed, cancelled)
    VALUES ({store_id}, {owner_id}, now()::date, 300, {orders} / 20, {orders} - 2 * ({orders} / 20), {orders} / 20)
"""


async def measure(bench: Bench) -> None:
    """Start on orders that nobody has counted, wait until they are, then ask for the last 30 days."""
    url = await bench.cluster.create("bench_analytics", template="bench")
    bench.say(f"{WORK}: putting {bench.pace.orders:,} orders into a table")
    await _seed(bench, url)
    store = f"/api/v1/restaurants/{bench.world.shops[0].id}"
    today = datetime.now(UTC).date()
    month = f"?from={today - timedelta(days=29)}&to={today}"
    with bench.comanda(url) as (child, port):
        await child.answers(port, "/healthz")
        seconds = 0.0
        for label, table in zip((WORK, DAY_REPORT), TABLES, strict=True):
            seconds += await wait_until_aggregated(url, table)
            bench.say(f"{label}: {bench.pace.orders / seconds:,.0f} orders a second at the first start")
        for label, path in (
            (WORK, "/analytics"),
            (f"{WORK}, by day, beside the 30 before", "/analytics?by_day=true&compare=true"),
            (DAY_REPORT, f"/day-report{month}"),
        ):
            program = Program("Comanda", child, port, [bench.world.get_request(store + path)])
            found = await bench.compare(label, [program], CONNECTIONS, [url])
            taken = median(found["Comanda"].p50s_ms)
            bench.report.findings.append(
                Finding(f"{label}, {bench.pace.orders:,} orders in 90 days", "ms", taken, AT_MOST, MOST_MS)
            )


async def _seed(bench: Bench, url: str) -> None:
    place = {"owner_id": bench.world.owner_id, "store_id": bench.world.shops[0].id, "orders": bench.pace.orders}
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET session_replication_role = replica")
        for statement in (ORDERS, LINES, TALLY):
            await connection.execute(statement.format(**place), timeout=600)
        await connection.execute("VACUUM (ANALYZE) core_order, core_order_line", timeout=600)
        await connection.execute("CHECKPOINT", timeout=600)
    finally:
        await connection.close()


async def wait_until_aggregated(url: str, *tables: str) -> float:
    """Wait until every store's orders are in its reports, or in those of some tables, and return how many seconds."""
    began_at = time.monotonic()
    connection = await asyncpg.connect(url)
    try:
        for table in tables or TABLES:
            while not await connection.fetchval(f"SELECT bool_and(is_complete) FROM {table}"):
                if time.monotonic() - began_at > COUNT_SECONDS:
                    raise ProcessFailed(f"the orders were not counted after {COUNT_SECONDS} seconds")
                await asyncio.sleep(0.2)
    finally:
        await connection.close()
    return time.monotonic() - began_at
