"""Two real servers on one database: one key, the last pieces, one order's status, and a menu edited beside them."""

import asyncio
import random
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle

import asyncpg
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store
from comanda.operations.embedded.server import EmbeddedPostgres

VARIABLES = {"COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "warning"}
STATUSES = ("new", "preparing", "ready", "delivered", "completed", "cancelled")


class Servers:
    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        installation = Installation(data, VARIABLES)
        running = [stack.enter_context(installation.running("serve")) for _ in range(2)]
        urls = cycle(server.url for server in running)
        self.store = open_store(installation, lambda: next(urls))
        self.pool = stack.enter_context(ThreadPoolExecutor(20))

    def all_at_once(self, calls):
        """Send requests, given as arguments of ``send`` and headers, from twenty threads to both servers in turn."""
        return [
            each.result() for each in [self.pool.submit(self.store.send, *call, **headers) for call, headers in calls]
        ]

    def query(self, statement, *values):
        async def fetch():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return await connection.fetch(statement, *values)
            finally:
                await connection.close()

        return [tuple(row) for row in asyncio.run(fetch())]

    def count_stock(self, item_id, stock):
        # Restaurants do not count stock; the row does whatever its store is.
        self.query("UPDATE core_menu_item SET stock = $1 WHERE id = $2", stock, item_id)
        self.query("UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1", self.store.id)


@pytest.fixture(scope="module")
def servers():
    with ExitStack() as stack:
        yield Servers(stack)


def body(item_id, **fields):
    return {"type": "takeaway", "items": [{"item_id": item_id, **fields}]}


def test_fifty_parallel_creates_with_one_key_make_one_order_and_fifty_equal_answers(servers):
    soup = servers.store.add_item("Soup", 5)
    call = ("POST", "/orders", body(soup))

    answers = servers.all_at_once([(call, {"Idempotency_Key": "one"})] * 50)

    assert {status for status, _ in answers} == {201}
    assert all(document == answers[0][1] for _, document in answers)
    assert servers.query("SELECT count(*) FROM core_order WHERE idempotency_key = 'one'") == [(1,)]
    told = "SELECT count(*) FROM core_outbox WHERE name = 'order.created' AND data->>'order_id' = $1::text"
    assert servers.query(told, str(answers[0][1]["id"])) == [(1,)]


def test_two_hundred_parallel_orders_for_the_last_twenty_pieces_sell_exactly_twenty(servers):
    lamp = servers.store.add_item("Lamp", 5)
    servers.count_stock(lamp, 20)

    answers = servers.all_at_once([(("POST", "/orders", body(lamp)), {})] * 200)

    assert Counter(status for status, _ in answers) == {201: 20, 422: 180}
    assert {tuple(document["errors"]) for status, document in answers if status == 422} == {("items.0.item_id",)}
    assert servers.query("SELECT stock FROM core_menu_item WHERE id = $1", lamp) == [(0,)]
    assert servers.query("SELECT sum(quantity)::int FROM core_order_line WHERE item_id = $1", lamp) == [(20,)]


def test_parallel_orders_and_changes_of_status_leave_the_tally_a_count(servers):
    soup = servers.store.add_item("Soup", 5)
    orders = [servers.store.send("POST", "/orders", body(soup))[1]["id"] for _ in range(5)]
    changes = [
        (("PUT", f"/orders/{random.choice(orders)}/status", {"status": random.choice(STATUSES)}), {})
        for _ in range(100)
    ]
    creates = [(("POST", "/orders", body(soup)), {})] * 50
    calls = changes + creates
    random.shuffle(calls)

    answers = servers.all_at_once(calls)

    assert Counter(status for status, _ in answers) == {200: 100, 201: 50}
    (tally,) = servers.query(f"SELECT {', '.join(STATUSES)}, last_number FROM core_order_tally")
    counted = dict(servers.query("SELECT status, count(*) FROM core_order GROUP BY status"))
    assert tally[:-1] == tuple(counted.get(status, 0) for status in STATUSES)
    listed = [servers.store.send("GET", f"/orders?status={status}")[1]["total"] for status in STATUSES]
    assert tuple(listed) == tally[:-1]
    numbers = servers.query(
        "SELECT business_date, count(*), count(DISTINCT number), max(number) FROM core_order GROUP BY 1"
    )
    assert all(orders == distinct == highest for _, orders, distinct, highest in numbers)


def test_a_change_of_the_menu_is_seen_by_the_other_server_at_its_next_request(servers):
    soup = servers.store.add_item("Soup", 5)
    for price in range(1, 11):
        # Requests go to the two servers in turn: each price is set by one and asked of the other.
        servers.store.send("PUT", f"/menu/items/{soup}", {"price": price})
        assert servers.store.send("POST", "/orders", body(soup))[1]["total"] == price
        servers.store.url()  # so that the roles change
