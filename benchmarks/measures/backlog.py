"""Delivering webhooks while a million wait, beside a few; and to one receiver while another has been away for long."""

import socket
import time
from collections.abc import Awaitable, Callable

from benchmarks import cluster
from benchmarks.bench import Bench
from benchmarks.findings import AT_LEAST, Finding
from benchmarks.measures.webhooks import WAIT_SECONDS, register
from benchmarks.processes import Child, ProcessFailed

SHARE_OF_FEW = 0.9
# Deliveries that are due since a moment ago, as the events of orders that came at once leave them behind.
DELIVERIES = """
    INSERT INTO webhooks_delivery (owner_id, endpoint_id, message_id, event, body, status, attempts, next_attempt_at,
        created_at)
    SELECT {owner_id}, e.id, 'msg_' || e.id || '_' || {first} + n, 'order.created', jsonb_build_object(
        'type', 'order.created', 'timestamp', now(), 'data', jsonb_build_object('order_id', {first} + n))::text,
        'pending', 0, now() - interval '1 second' + n * interval '1 microsecond', now()
    FROM generate_series(1, {count}) AS n, webhooks_endpoint e
    WHERE e.owner_id = {owner_id} AND e.url = '{target}'
"""
RING = "SELECT pg_notify('comanda', 'webhooks')"


async def measure(bench: Bench) -> None:
    """Measure the rate of deliveries with few waiting, with a million of a dead receiver, and with a million more."""
    url = await bench.cluster.create("bench_backlog", template="bench")
    shop = bench.world.shops[0]
    with (
        bench.child("receiver") as receiver,
        bench.comanda(url) as (ours, port),
        socket.create_server(("127.0.0.1", 0)) as silent,
    ):
        await ours.answers(port, f"/api/v1/menu/{shop.id}")
        target = f"http://127.0.0.1:{(await receiver.ask(do='listen'))['port']}/hook"
        secret = register(port, bench.world.token, target)
        # It takes connections and never answers, so that every attempt takes as long as it may.
        away = f"http://127.0.0.1:{silent.getsockname()[1]}/hook"
        register(port, bench.world.token, away)
        inserted = 0

        async def insert(count: int, to: str) -> None:
            nonlocal inserted
            deliveries = DELIVERIES.format(owner_id=bench.world.owner_id, first=inserted, count=count, target=to)
            await cluster.execute(url, deliveries)
            inserted += count

        async def deliver() -> float:
            return await _deliver(
                receiver, secret, bench.pace.messages, lambda: insert(bench.pace.messages, target), url
            )

        await deliver()  # warms up
        few = [await deliver() for _ in range(bench.pace.rounds)]
        waiting = bench.pace.orders
        bench.say(f"backlog: {waiting:,} deliveries to a receiver that does not answer")
        await insert(waiting, away)
        beside = [await deliver() for _ in range(bench.pace.rounds)]
        bench.say(f"backlog: {waiting:,} deliveries to a receiver that answers")
        await receiver.ask(do="expect", secret=secret, count=-1)
        await insert(waiting, target)
        await cluster.execute(url, RING)
        many = [await _count_deliveries(receiver, secret, 2 * bench.pace.seconds) for _ in range(bench.pace.rounds)]
    label = f"webhook deliveries, {waiting:,}"
    bench.report.findings += [
        Finding.of_rounds(f"{label} of another receiver failing", "/s", beside, few, AT_LEAST, SHARE_OF_FEW),
        Finding.of_rounds(f"{label} waiting", "/s", many, few, AT_LEAST, SHARE_OF_FEW),
    ]


async def _deliver(receiver: Child, secret: str, count: int, insert: Callable[[], Awaitable[None]], url: str) -> float:
    """Return the rate of ``count`` deliveries from their commit until the last was received."""
    await receiver.ask(do="expect", secret=secret, count=count)
    await insert()
    committed_at = time.monotonic()
    await cluster.execute(url, RING)
    found = await receiver.ask(do="wait", seconds=WAIT_SECONDS)
    if found["received"] != count or found["refused"]:
        raise ProcessFailed(f"of {count} webhooks {found['received']} came, {found['refused']} with a wrong signature")
    last_at: float = found["last_at"]
    return count / (last_at - committed_at)


async def _count_deliveries(receiver: Child, secret: str, seconds: float) -> float:
    """Return the rate of deliveries that are received within so many seconds."""
    await receiver.ask(do="expect", secret=secret, count=-1)
    began_at = time.monotonic()
    found = await receiver.ask(do="wait", seconds=seconds)
    if found["refused"]:
        raise ProcessFailed(f"{found['refused']} webhooks had a wrong signature")
    received: int = found["received"]
    return received / (time.monotonic() - began_at)
