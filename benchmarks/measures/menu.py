"""Reading the public menu of 50 items, beside a Quart route that answers as many constant bytes."""

import asyncio
import urllib.request

from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, Finding

WORK = "public menu of 50 items"
RATE_OF_CONSTANT = 0.7
CONNECTIONS = (8, 32)


async def measure(bench: Bench) -> None:
    """Read the first shop's menu."""
    url = await bench.cluster.create("bench_menu", template="bench")
    path = f"/api/v1/menu/{bench.world.shops[0].id}"
    with bench.comanda(url) as (ours, port):
        await ours.answers(port, path)
        size = await asyncio.to_thread(_size, f"http://127.0.0.1:{port}{path}")
        with bench.floor("constant", str(size)) as (floor, floor_port):
            await floor.answers(floor_port, "/")
            programs = [
                Program("ours", ours, port, [_get(path)], url),
                Program(f"constant {size:,} bytes", floor, floor_port, [_get("/")]),
            ]
            for connections in CONNECTIONS:
                mine, constant = (await bench.compare(WORK, programs, connections)).values()
                label = f"{WORK}, {connections} connections"
                bench.report.findings.append(
                    Finding.of_rounds(label, "/s", mine.rates, constant.rates, AT_LEAST, RATE_OF_CONSTANT)
                )


def _size(url: str) -> int:
    with urllib.request.urlopen(url) as response:
        return len(response.read())


def _get(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
