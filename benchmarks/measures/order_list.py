"""Reading a page of 30 orders from a table of a thousand and from one of a million."""

from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_MOST, Finding
from benchmarks.world import seed_orders

WORK = "page of 30 orders"
TIME_OF_FEW = 1.3
CONNECTIONS = 8
FEW = 1000


async def measure(bench: Bench) -> None:
    """Read the newest page, of all orders and of one status, on two servers that differ in the table alone."""
    many = bench.pace.orders
    few_url = await bench.cluster.create("bench_few", template="bench")
    many_url = await bench.cluster.create("bench_many", template="bench")
    bench.say(f"{WORK}: putting {many:,} orders into a table")
    await seed_orders(few_url, bench.world, FEW)
    await seed_orders(many_url, bench.world, many)
    path = f"/api/v1/restaurants/{bench.world.shops[0].id}/orders"
    with bench.comanda(few_url) as (few, few_port), bench.comanda(many_url) as (full, full_port):
        await few.answers(few_port, "/healthz")
        await full.answers(full_port, "/healthz")
        for label, query in ((WORK, ""), (f"{WORK}, one status", "?status=preparing")):
            requests = [bench.world.get_request(path + query)]
            programs = [
                Program(f"of {many:,}", full, full_port, requests),
                Program(f"of {FEW:,}", few, few_port, requests),
            ]
            of_many, of_few = (await bench.compare(label, programs, CONNECTIONS)).values()
            bench.report.findings.append(
                Finding.of_rounds(
                    f"{label}, {many:,} orders beside {FEW:,}",
                    "ms",
                    of_many.p50s_ms,
                    of_few.p50s_ms,
                    AT_MOST,
                    TIME_OF_FEW,
                )
            )
