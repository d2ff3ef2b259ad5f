"""What one process with every plugin takes: memory after load, and the time from the command to the first answer."""

import time
from statistics import median

from benchmarks import cluster, processes, world
from benchmarks.bench import Bench, Program, comanda_environment, serve_command
from benchmarks.findings import AT_MOST, Finding
from benchmarks.processes import Child

MEMORY_MIB = 150
START_SECONDS = 3.0
CONNECTIONS = 32


async def measure_memory(bench: Bench) -> None:
    """Load one process with orders and lists, and read what it then holds."""
    url = await bench.cluster.create("bench_memory", template="bench")
    shops = bench.world.shops
    requests = [bench.world.order_request(shop) for shop in shops]
    requests += [bench.world.get_request(f"/api/v1/restaurants/{shop.id}/orders") for shop in shops]
    requests += [bench.world.get_request(f"/api/v1/menu/{shop.id}") for shop in shops]
    with bench.comanda(url) as (ours, port):
        await ours.answers(port, f"/api/v1/menu/{shops[0].id}")
        await bench.compare("orders, lists and menus", [Program("ours", ours, port, requests, url)], CONNECTIONS, [url])
        rss, pss = processes.memory_mib(ours.pid)
    bench.report.findings.append(
        Finding(f"memory after load, PSS (RSS {rss:.0f} MiB)", "MiB", pss, AT_MOST, MEMORY_MIB)
    )


async def measure_cold_start(bench: Bench) -> None:
    """Serve data that is there: PostgreSQL is started by the command too, as on a machine that was switched on."""
    bench.say("cold start: making the data")
    seconds = []
    with cluster.folder() as data:
        with cluster.running(data) as own:
            made = await world.build(own.url)
        path = f"/api/v1/menu/{made.shops[0].id}"
        for _ in range(bench.pace.rounds):
            port = processes.free_port()
            environment = comanda_environment(data, port, None)
            began_at = time.monotonic()
            with Child(serve_command(), bench.log("cold-start"), environment) as child:
                seconds.append(await child.answers(port, path) - began_at)
    bench.report.findings.append(
        Finding("cold start to first answer, PostgreSQL included", "s", median(seconds), AT_MOST, START_SECONDS)
    )
