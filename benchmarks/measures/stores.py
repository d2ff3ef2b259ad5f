"""What an installation of many stores costs beside one of few: requests over all of them, and a minute without any."""

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from comanda.platform import runtime

from benchmarks import processes, world
from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_MOST, Detail, Finding
from benchmarks.many_stores import copy_store
from benchmarks.measures.mcp import post
from benchmarks.world import World

STORES, QUICK_STORES = 10_000, 1_000
CONNECTIONS = 8
REQUESTS = 20_000
# A read of a menu that is not in memory, by rank and at random, beside one that is; other work does more by itself.
BUDGETS = {"menu": 2.0, "order": 1.5, "MCP get_menu": 2.0}
MEMORY_MIB = 250
IDLE_SECONDS = 65
IDLE_RATIO = 1.5


async def measure(bench: Bench) -> None:
    """Request menus, orders and MCP in one store, then in all, and watch a minute of background work."""
    few = await bench.cluster.create("bench_few_stores", template="bench")
    many = await bench.cluster.create("bench_many_stores", template="bench")
    stores = STORES if bench.pace.rounds > 2 else QUICK_STORES
    bench.say(f"making {stores:,} stores")
    async with world.comanda(many):
        prefix = runtime.registry().caller_kinds["owner"].prefix
    worlds = await copy_store(many, bench.world, bench.world.shops[1], stores, prefix)
    alone = await _measure_idle_cpu(bench, few)
    with bench.comanda(many) as (ours, port):
        await ours.answers(port, f"/api/v1/menu/{worlds[0].shops[0].id}")
        for work, request in REQUESTS_OF.items():
            await _compare(bench, ours, port, work, request, worlds, many)
        with bench.child("load") as load:
            await _EachInTurn(load, port, [_to_menu_request(one) for one in worlds]).send_all()
        rss, pss = processes.memory_mib(ours.pid)
    bench.report.findings.append(
        Finding(
            f"memory after the menus of {stores:,} stores, PSS (RSS {rss:.0f} MiB)", "MiB", pss, AT_MOST, MEMORY_MIB
        )
    )
    everywhere = await _measure_idle_cpu(bench, many)
    bench.report.findings.append(
        Finding(
            f"a minute without requests, {stores:,} stores beside {world.STORES}, CPU",
            "ms",
            everywhere,
            AT_MOST,
            IDLE_RATIO,
            alone,
            everywhere / alone,
        )
    )


def _to_menu_request(one: World) -> str:
    return f"GET /api/v1/menu/{one.shops[0].id} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def _to_mcp_request(one: World) -> str:
    call = {"name": "get_menu", "arguments": {"restaurant_id": one.shops[0].id}}
    return post(one.token, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}))


def _to_order_request(one: World) -> str:
    return one.order_request(one.shops[0])


class _EachInTurn:
    """A load whose rounds go on with the requests where the last one stopped, so that none is sent twice soon."""

    def __init__(self, load: processes.Child, port: int, requests: list[str]) -> None:
        self._load = load
        self._port = port
        self._requests = requests
        self._sent = 0

    async def __call__(self, connections: int, seconds: float) -> dict[str, Any]:
        """Send requests for so long, and return what the client saw."""
        place = self._sent % len(self._requests)
        requests = self._requests[place:] + self._requests[:place]
        found = await self._load.ask(port=self._port, connections=connections, seconds=seconds, requests=requests)
        self._sent += found["requests"]
        return found

    async def send_all(self) -> None:
        """Send each request once or a little more."""
        while self._sent < len(self._requests):
            await self(CONNECTIONS, 1.0)


REQUESTS_OF: dict[str, Callable[[World], str]] = {
    "menu": _to_menu_request,
    "MCP get_menu": _to_mcp_request,
    "order": _to_order_request,
}


async def _compare(
    bench: Bench,
    ours: processes.Child,
    port: int,
    work: str,
    request: Callable[[World], str],
    worlds: Sequence[World],
    url: str,
) -> None:
    drawn = random.Random(1)  # the same in each run
    by_rank = drawn.choices(worlds, [1 / rank for rank in range(1, len(worlds) + 1)], k=REQUESTS)
    at_random = drawn.sample(worlds, len(worlds))
    one, rank, each = "one store", f"{len(worlds):,} stores by rank", f"{len(worlds):,} stores, each in turn"
    with bench.child("load") as load:
        programs = [
            Program(one, ours, port, [request(worlds[0])], url),
            Program(rank, ours, port, [], url, _EachInTurn(load, port, [request(drawn) for drawn in by_rank])),
            Program(each, ours, port, [], url, _EachInTurn(load, port, [request(drawn) for drawn in at_random])),
        ]
        found = await bench.compare(work, programs, CONNECTIONS)
    for name in (rank, each):
        bench.report.findings.append(_to_finding(work, name, found[name], found[one]))


def _to_finding(work: str, name: str, many: Detail, one: Detail) -> Finding:
    label = f"{work}, {name} beside one, CPU"
    return Finding.of_rounds(label, "ms", many.cpus_ms, one.cpus_ms, AT_MOST, BUDGETS[work])


async def _measure_idle_cpu(bench: Bench, url: str) -> float:
    """Return the CPU milliseconds that a server and the database take for what is due within a minute."""
    bench.say("a minute without requests")
    with bench.comanda(url) as (ours, port):
        await ours.answers(port, f"/api/v1/menu/{bench.world.shops[0].id}")
        # What is due at the start is done.
        await asyncio.sleep(IDLE_SECONDS / 4)
        before = _sum_cpu(bench, ours)
        await asyncio.sleep(IDLE_SECONDS)
        return (_sum_cpu(bench, ours) - before) * 1000


def _sum_cpu(bench: Bench, ours: processes.Child) -> float:
    return processes.cpu_seconds(ours.pid) + processes.cpu_seconds(bench.cluster.postmaster)
