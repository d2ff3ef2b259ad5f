"""Two requests that agents send most, beside Quart routes that answer as many constant bytes."""

import asyncio
import json
import urllib.request

from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_LEAST, Finding

RATES = {"tools/list": 0.8, "tools/call get_menu": 0.6}
CONNECTIONS = 8


async def measure(bench: Bench) -> None:
    """Ask the owners' server for its tools, and for the first shop's menu."""
    url = await bench.cluster.create("bench_mcp", template="bench")
    with bench.comanda(url) as (ours, port):
        await ours.answers(port, f"/api/v1/menu/{bench.world.shops[0].id}")
        for work, request, size in await requests(bench, port):
            await _compare(bench, Program("ours", ours, port, [request], url), work, size)


async def requests(bench: Bench, port: int) -> list[tuple[str, str, int]]:
    """Return the name of each work, its request, and the size of its answer by the Comanda that listens on ``port``."""
    menu_call = {"name": "get_menu", "arguments": {"restaurant_id": bench.world.shops[0].id}}
    bodies = {
        "tools/list": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        "tools/call get_menu": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": menu_call}),
    }
    token = bench.world.token
    return [
        (work, post(token, body), await asyncio.to_thread(_size, port, token, body)) for work, body in bodies.items()
    ]


async def _compare(bench: Bench, mine: Program, work: str, size: int) -> None:
    with bench.floor("constant", str(size)) as (floor, floor_port):
        await floor.answers(floor_port, "/")
        constant = Program(f"constant {size:,} bytes", floor, floor_port, list(mine.requests))
        ours, theirs = (await bench.compare(f"MCP {work}", [mine, constant], CONNECTIONS)).values()
    bench.report.findings.append(
        Finding.of_rounds(f"MCP {work}", "/s", ours.rates, theirs.rates, AT_LEAST, RATES[work])
    )


def _size(port: int, token: str, body: str) -> int:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/mcp", body.encode(), headers)
    with urllib.request.urlopen(request) as response:
        return len(response.read())


def post(token: str, body: str) -> str:
    """Return the request that sends a message to the owners' server."""
    return (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
