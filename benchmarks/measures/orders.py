"""Placing an order of three lines, beside one statement of asyncpg and beside Tortoise models."""

from pathlib import Path
from statistics import median

from benchmarks import cluster
from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, AT_MOST, Finding

WORK = "order of 3 lines"
TABLES = Path(__file__).parents[1] / "floors" / "tables.sql"
RATE_OF_ASYNCPG = 0.6
RATE_OF_TORTOISE = 1.0
CPU_MS = 4.0
CONNECTIONS = (8, 32)


async def measure(bench: Bench) -> None:
    """Place orders in one store, in twenty stores in turn, and through the floors."""
    ours_url = await bench.cluster.create("bench_orders", template="bench")
    floor_url = await bench.cluster.create("bench_orders_floor")
    await cluster.execute(floor_url, TABLES.read_text())
    shops = bench.world.shops
    one_store = [bench.world.order_request(shops[0])]
    floor_request = [one_store[0].replace("/api/v1", "")]
    with (
        bench.comanda(ours_url) as (ours, port),
        bench.floor("orders_asyncpg", database_url=floor_url) as (bare, bare_port),
        bench.floor("orders_tortoise", database_url=floor_url) as (models, models_port),
    ):
        await ours.answers(port, f"/api/v1/menu/{shops[0].id}")
        await bare.answers(bare_port, "/")
        await models.answers(models_port, "/")
        programs = [
            Program("ours, one store", ours, port, one_store, ours_url),
            Program("asyncpg", bare, bare_port, floor_request),
            Program("ours, 20 stores", ours, port, [bench.world.order_request(shop) for shop in shops], ours_url),
            Program("Tortoise models", models, models_port, floor_request),
        ]
        for connections in CONNECTIONS:
            found = await bench.compare(WORK, programs, connections, [ours_url, floor_url])
            for name in ("one store", "20 stores"):
                mine = found[f"ours, {name}"]
                label = f"{WORK}, {name}, {connections} connections"
                for floor, budget in (("asyncpg", RATE_OF_ASYNCPG), ("Tortoise models", RATE_OF_TORTOISE)):
                    bench.report.findings.append(
                        Finding.of_rounds(
                            f"{label}, beside {floor}", "/s", mine.rates, found[floor].rates, AT_LEAST, budget
                        )
                    )
                bench.report.findings.append(
                    Finding(f"{label}, CPU of server and database", "ms", median(mine.cpus_ms), AT_MOST, CPU_MS)
                )
