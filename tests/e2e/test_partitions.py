"""Orders are placed while tables are partitioned by a command that is killed, and while partitions come and go."""

import asyncio
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import asyncpg
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres

VARIABLES = {
    "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    "COMANDA_LOG_LEVEL": "info",
    "COMANDA_DEVELOPMENT": "true",
    "COMANDA_TEST_CLOCK": "true",
    "COMANDA_AUDIT_LOG_DAYS": "30",
}
CLIENTS = 3
# As often as it takes to have orders under way at any moment.
PAUSE_SECONDS = 0.05
# The command is killed after so many lines of its output.
KILLS = (1, 2, 3, 5)
SELECT_PARTITIONS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1"
SELECT_NEWEST = "SELECT tableoid::regclass::text FROM {} ORDER BY id DESC LIMIT 1"
SELECT_TABLES = r"SELECT relname FROM pg_class WHERE relname ~ ('^' || $1 || '_\d{4}_\d{2}(_\d{2})?$') ORDER BY 1"
LEFT_BEHIND = "SELECT count(*) FROM pg_constraint WHERE conname LIKE '%\\_ids' OR NOT convalidated"
COUNT_ORDERS = "SELECT count(*) FROM core_order"
COUNT_WAITING = "SELECT count(*) FROM core_pending_event_v1"
COUNT_WAITING_OF = "SELECT count(*) FROM core_pending_event_v1 WHERE id IN (SELECT id FROM {})"


class Customers:
    """Threads that place orders, one after the other, and remember each answer."""

    def __init__(self, store, item_id):
        self._store, self._item_id = store, item_id
        self._is_over = threading.Event()
        self.answers = []

    @contextmanager
    def ordering(self):
        with ThreadPoolExecutor(CLIENTS) as pool:
            working = [pool.submit(self._work) for _ in range(CLIENTS)]
            try:
                yield
            finally:
                self._is_over.set()
        for each in working:
            each.result()

    def _work(self):
        while not self._is_over.is_set():
            body = {"type": "takeaway", "items": [{"item_id": self._item_id, "quantity": 1}]}
            self.answers.append(self._store.send("POST", "/orders", body))
            time.sleep(PAUSE_SECONDS)

    def wait_for_more(self, count=20):
        wanted = len(self.answers) + count
        wait_for(lambda: len(self.answers) >= wanted, "more orders", show=lambda: self.answers[-1:])


def test_no_order_fails_while_partitions_come_and_go():
    with ExitStack() as stack:
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        url = stack.enter_context(EmbeddedPostgres(data)).url
        installation = Installation(data, dict(VARIABLES))
        server = stack.enter_context(installation.running("serve"))
        store = open_store(installation, lambda: server.url)
        customers = Customers(store, store.add_item("Soup", 5))

        with customers.ordering():
            customers.wait_for_more()
            for lines in KILLS:
                kill_after(installation, lines)
                customers.wait_for_more()
            finished = installation.run("partitions")
            assert finished.returncode == 0, finished.stderr
            customers.wait_for_more()
            first = {table: select(url, SELECT_PARTITIONS, table) for table in ("core_outbox", "core_audit_entry")}
            assert [len(found) for found in first.values()] == [3, 3]
            assert select(url, LEFT_BEHIND) == [0]

            # The server does what falls due, each hour. What comes until the next period begins is in the one before.
            advance(installation, "70d")
            for table, names in first.items():
                wait_for(
                    lambda table=table, names=names: select(url, SELECT_NEWEST.format(table)) != names[:1],
                    f"a row in the next partition of {table}",
                    show=server.printed,
                )
            # An event that is handled only after the next step is kept for a while, and its partition for an hour more.
            wait_for(lambda: select(url, COUNT_WAITING_OF.format(first["core_outbox"][0])) == [0], "the oldest events")
            advance(installation, "40d")
            for table, names in first.items():
                wait_for(
                    lambda table=table, names=names: names[0] not in select(url, SELECT_PARTITIONS, table),
                    f"the oldest partition of {table} to be detached",
                    show=server.printed,
                )
            customers.wait_for_more()
            advance(installation, "2h")
            for table, names in first.items():
                wait_for(
                    lambda table=table, names=names: names[0] not in select(url, SELECT_TABLES, table),
                    f"the oldest partition of {table} to be dropped",
                    show=server.printed,
                )
            customers.wait_for_more()

        wait_for(lambda: select(url, COUNT_WAITING) == [0], "all events")
        assert {status for status, _ in customers.answers} == {201}
        assert select(url, COUNT_ORDERS) == [len(customers.answers)]
        assert "partitioning_abandoned" not in server.printed()


def kill_after(installation, lines):
    """Start the command and kill it after some lines of its output, if it has as many."""
    with installation.starting("partitions") as command:
        wait_for(
            lambda: command.printed().count("\n") >= lines or command.process.poll() is not None,
            f"{lines} lines",
            show=command.printed,
        )
        if command.process.poll() is None:
            command.stop(signal.SIGKILL)


def advance(installation, by):
    moved = installation.run("clock", "advance", by)
    assert moved.returncode == 0, moved.stderr


def select(url, query, *values):
    async def fetch():
        connection = await asyncpg.connect(url)
        try:
            return [row[0] for row in await connection.fetch(query, *values)]
        finally:
            await connection.close()

    return asyncio.run(fetch())
