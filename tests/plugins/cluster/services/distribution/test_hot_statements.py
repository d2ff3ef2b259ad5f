"""What installations run all day is answered by one shard each."""

import re

import pytest
from citus_cluster import CITUS_URL, NO_CLUSTER
from comanda.devkit.testing import line
from comanda.menu import snapshot
from comanda.orders.intake.node_insertion import CALL_INSERT_ORDERS
from comanda.platform.db import sql
from comanda.platform.db.connections.pooled import PooledConnection

TASK_COUNT = re.compile(r"Task Count: (\d+)")
READS_ROWS = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|WITH)\b")


@pytest.fixture
def statements(monkeypatch):
    """Record the statements on the pool's connections with their parameters, each once."""
    recorded = {}

    def recording(method):
        def call(self, query, *values, **options):
            recorded.setdefault(query, values)
            return method(self, query, *values, **options)

        return call

    for name in ("execute", "fetch", "fetchrow", "fetchval"):
        monkeypatch.setattr(PooledConnection, name, recording(getattr(PooledConnection, name)))
    return recorded


async def count_shards(statement, values):
    """Return how many shards a statement asks, by its plan; None if it names no distributed table."""
    plan = "\n".join(row[0] for row in await sql.fetch(f"EXPLAIN {statement}", *values))
    counts = [int(count) for count in TASK_COUNT.findall(plan)]
    return max(counts, default=None)


@pytest.mark.skipif(CITUS_URL is None, reason=NO_CLUSTER)
async def test_orders_menus_and_lists_ask_one_shard(store, client, statements):
    stew = await store.item("Stew", 6)
    statements.clear()
    snapshot._snapshots.clear()

    placed = await store.place(line(stew), key="k")
    await store.place(line(stew), key="k")
    order = placed.document
    await store.get(f"/orders/{order['id']}")
    await store.get("/orders?status=new")
    await store.set_status(order["id"], "preparing")
    await store.public_menu()
    await store.send_to(f"/api/v1/track/{order['track_token']}")

    assert CALL_INSERT_ORDERS in statements
    shards = {
        statement: await count_shards(statement, values)
        for statement, values in list(statements.items())
        if READS_ROWS.match(statement.strip())
    }
    assert {statement: count for statement, count in shards.items() if count not in {None, 1}} == {}
    assert sum(count == 1 for count in shards.values()) >= 10
