"""Amending an order of three lines, beside placing it."""

import json
from collections.abc import Mapping, Sequence

import asyncpg

from benchmarks.bench import Bench, Program
from benchmarks.findings import AT_MOST, Finding

WORK = "amendment of an order of 3 lines"
CONNECTIONS = 8
CPU_OF_ORDER = 2.0
SELECT_ORDERS = """
    SELECT order_id, min(id) AS line_id FROM core_order_line GROUP BY order_id ORDER BY order_id DESC LIMIT 2000
"""


async def measure(bench: Bench) -> None:
    """Place orders, change the note of a line of each, and add a line to each."""
    url = await bench.cluster.create("bench_amendments", template="bench")
    shop = bench.world.shops[0]
    place = bench.world.order_request(shop)
    with bench.comanda(url) as (ours, port):
        await ours.answers(port, f"/api/v1/menu/{shop.id}")
        with bench.child("load") as load:
            seconds = bench.pace.rounds * bench.pace.seconds
            await load.ask(port=port, connections=CONNECTIONS, seconds=seconds, requests=[place])
        orders = await _read_orders(url)
        path = f"/api/v1/restaurants/{shop.id}/orders"
        note = {"note": "No onions"}
        notes = [_request(bench, "PUT", f"{path}/{id}/lines/{line_id}", note) for id, line_id in orders]
        rounds = [_request(bench, "POST", f"{path}/{id}/lines", {"items": shop.lines[:1]}) for id, _ in orders]
        programs = [
            Program("order", ours, port, [place], url),
            Program("note", ours, port, notes, url),
            Program("round", ours, port, rounds, url),
        ]
        found = await bench.compare(WORK, programs, CONNECTIONS, [url])
    for name in ("note", "round"):
        mine, floor = found[name].cpus_ms, found["order"].cpus_ms
        label = f"{WORK}, {name}, CPU of server and database beside the order's"
        bench.report.findings.append(Finding.of_rounds(label, "ms", mine, floor, AT_MOST, CPU_OF_ORDER))


async def _read_orders(url: str) -> Sequence[tuple[int, int]]:
    connection = await asyncpg.connect(url)
    try:
        return [(row["order_id"], row["line_id"]) for row in await connection.fetch(SELECT_ORDERS)]
    finally:
        await connection.close()


def _request(bench: Bench, method: str, path: str, fields: Mapping[str, object]) -> str:
    body = json.dumps(fields)
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {bench.world.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
