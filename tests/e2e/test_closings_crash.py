"""kill -9 of a server while orders are placed and paid and days are closed: no number is missing, and all adds up."""

import asyncio
import random
import shutil
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, timedelta

import asyncpg
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres

KILLS = 3
VARIABLES = {"COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "critical"}
CLOSINGS = "SELECT number, first_day, last_day, closed_at, totals::text FROM closings_closing ORDER BY number"
BOOKS = """
    SELECT (SELECT coalesce(sum(total_minor), 0)::bigint FROM core_order) AS sales_total,
        (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payments_payment WHERE status = 'succeeded') AS payments
"""


class Installed:
    """A database and a server on one port, which is started again after each death."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        # This process uses the database too, so that it outlives the servers.
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.installation = Installation(data, VARIABLES)
        self._stack = stack
        self.start()
        self.store = open_store(self.installation, lambda: self.server.url, "Closed")
        self.soup = self.store.add_item("Soup", 10)
        self.is_over = threading.Event()
        self.closed = 0

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def send(self, method, path, body=None, key=None):
        """Repeat a request until it has an answer."""
        headers = {} if key is None else {"Idempotency-Key": key}

        def attempt():
            status, answer = self.store.send(method, path, body, **headers)
            return None if status in (0, 503) else (status, answer)

        return wait_for(attempt, f"an answer to {method} {path}")

    def read(self, statement):
        async def work():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return [tuple(row) for row in await connection.fetch(statement)]
            finally:
                await connection.close()

        return asyncio.run(work())


def sell(installed):
    """Place orders and pay them, each once."""
    number = 0
    while not installed.is_over.is_set():
        items = [{"item_id": installed.soup, "quantity": 1 + number % 3}]
        status, order = installed.send("POST", "/orders", {"type": "takeaway", "items": items}, f"order-{number}")
        assert status in {200, 201}, order
        status, answer = installed.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"}, f"pay-{number}")
        assert status in {200, 201}, answer
        number += 1
    return number


def close_days(installed):
    """Close one past day after the other, each once, and return their numbers as they were answered."""
    numbers, day = [], date(2026, 1, 1)
    while not installed.is_over.is_set():
        status, closing = installed.send("POST", "/closings", {"day": day.isoformat()}, f"close-{day}")
        assert status in {200, 201}, closing
        numbers.append(closing["number"])
        installed.closed = len(numbers)
        day += timedelta(days=1)
    return numbers


def test_killed_server_leaves_no_gap_and_no_half_closing():
    chance = random.Random(7)
    with ExitStack() as stack:
        installed = Installed(stack)
        status, answer = installed.send("PUT", "/settings/closings", {"allows_open_checks": True})
        assert status == 200, answer
        with ThreadPoolExecutor() as pool:
            sold, closed = pool.submit(sell, installed), pool.submit(close_days, installed)
            try:
                for _ in range(KILLS):
                    reached = installed.closed + chance.randint(3, 12)
                    wait_for(lambda reached=reached: installed.closed >= reached, "days to be closed")
                    installed.kill()
            finally:
                installed.is_over.set()
            assert sold.result() > 0
            numbers = closed.result()

        frozen = installed.read(CLOSINGS)
        status, last = installed.send("POST", "/closings", {}, "last")
        assert status == 201, last

        assert [row[0] for row in frozen] == numbers == list(range(1, len(frozen) + 1))
        assert [row[1] for row in frozen[1:]] == [row[2] + timedelta(days=1) for row in frozen[:-1]]
        assert installed.read(CLOSINGS)[: len(frozen)] == frozen
        [(sales_total, payments)] = installed.read(BOOKS)
        assert (last["figures"]["sales_total"], last["figures"]["payments"]) == (sales_total / 100, payments / 100)
