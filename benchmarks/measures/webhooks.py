"""Delivering webhooks to a local receiver that verifies them, beside a bare loop that posts."""

import json
import time
import urllib.error
import urllib.request
from statistics import median
from typing import Any

from benchmarks import cluster
from benchmarks.bench import Bench
from benchmarks.findings import AT_LEAST, AT_MOST, Finding
from benchmarks.processes import Child, ProcessFailed

RATE_OF_LOOP = 0.5
LATENCY_MS = 50.0
ORDERS_PER_SECOND = 50
LATENCY_SECONDS = 8
# As many as our sender has under way to one endpoint: a receiver must bear it.
LOOP_IN_FLIGHT = 4
WAIT_SECONDS = 60

# What this many orders committed at once leave behind.
EVENTS = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
    SELECT {owner_id}, {store_id}, 'order.created', jsonb_build_object('order_id', n, 'restaurant_id', {store_id},
        'number', n, 'type', 'takeaway', 'source', 'api', 'status', 'new', 'total', '23.50', 'currency', 'EUR',
        'created_at', now()), now(), now()
    FROM generate_series(1, {count}) AS n
"""
RING = "SELECT pg_notify('comanda', 'outbox')"


async def measure(bench: Bench) -> None:
    """Measure the rate of deliveries from a standing start, then how long one takes at a modest rate of orders."""
    url = await bench.cluster.create("bench_webhooks", template="bench")
    shop = bench.world.shops[0]
    with (
        bench.child("receiver") as receiver,
        bench.child("floors.webhook_posts") as loop,
        bench.comanda(url) as (ours, port),
    ):
        await ours.answers(port, f"/api/v1/menu/{shop.id}")
        target = f"http://127.0.0.1:{(await receiver.ask(do='listen'))['port']}/hook"
        secret = register(port, bench.world.token, target)
        rates, loop_rates = await _rates(bench, receiver, loop, url, target, secret)
        bench.report.findings.append(
            Finding.of_rounds("webhook deliveries", "/s", rates, loop_rates, AT_LEAST, RATE_OF_LOOP)
        )
        latencies = await _latencies(bench, receiver, port, secret)
        label = f"webhook, order answered to received, {ORDERS_PER_SECOND} orders/s"
        p99 = latencies[len(latencies) * 99 // 100]
        bench.report.findings.append(
            Finding(f"{label}, median (p99 {p99:.1f} ms)", "ms", median(latencies), AT_MOST, LATENCY_MS)
        )


def register(port: int, token: str, target: str) -> str:
    """Register the receiver for new orders and return its secret."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/webhook-endpoints",
        json.dumps({"url": target, "events": ["order.created"]}).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            secret: str = json.load(response)["secret"]
    except urllib.error.HTTPError as error:
        raise ProcessFailed(f"POST /webhook-endpoints answered {error.code}: {error.read()[:300]!r}") from error
    return secret


async def _rates(
    bench: Bench, receiver: Child, loop: Child, url: str, target: str, secret: str
) -> tuple[list[float], list[float]]:
    """Return our rates and the loop's, each from the commit or the start to the last message received."""
    count, shop = bench.pace.messages, bench.world.shops[0]
    events = EVENTS.format(owner_id=bench.world.owner_id, store_id=shop.id, count=count)
    bench.say(f"webhooks: {count:,} messages a round, beside a bare loop")
    ours, bare = [], []
    for number in range(bench.pace.rounds + 1):
        await receiver.ask(do="expect", secret=secret, count=count)
        committed_at = await _commit(url, events)
        rate = count / (await _all_received(receiver, count) - committed_at)
        await receiver.ask(do="expect", secret=secret, count=count)
        began = await loop.ask(url=target, secret=secret, count=count, in_flight=LOOP_IN_FLIGHT)
        loop_rate = count / (await _all_received(receiver, count) - began["began_at"])
        if number:  # the first round warms both up
            ours.append(rate)
            bare.append(loop_rate)
    return ours, bare


async def _commit(url: str, events: str) -> float:
    await cluster.execute(url, events)
    committed_at = time.monotonic()
    await cluster.execute(url, RING)
    return committed_at


async def _all_received(receiver: Child, count: int) -> float:
    found = await receiver.ask(do="wait", seconds=WAIT_SECONDS)
    if found["received"] != count or found["refused"]:
        raise ProcessFailed(f"of {count} webhooks {found['received']} came, {found['refused']} with a wrong signature")
    last_at: float = found["last_at"]
    return last_at


async def _latencies(bench: Bench, receiver: Child, port: int, secret: str) -> list[float]:
    """Place orders at a modest rate and return, sorted, the ms from each one's answer to its webhook."""
    shop = bench.world.shops[0]
    bench.say(f"webhooks: {ORDERS_PER_SECOND} orders a second")
    await receiver.ask(do="expect", secret=secret, count=-1)
    seconds = LATENCY_SECONDS * bench.pace.seconds / 2
    load: dict[str, Any] = {"port": port, "connections": 4, "pace": ORDERS_PER_SECOND}
    with bench.child("load") as client:
        found = await client.ask(**load, seconds=seconds, requests=[bench.world.order_request(shop)])
    await receiver.ask(do="wait", seconds=1)
    received = dict((await receiver.ask(do="receipts"))["receipts"])
    missing = [order_id for order_id, _ in found["answered"] if order_id not in received]
    if found["failed"] or missing:
        raise ProcessFailed(f"{found['failed']} orders failed, {len(missing)} webhooks had not come after a second")
    return sorted((received[order_id] - at) * 1000 for order_id, at in found["answered"])
