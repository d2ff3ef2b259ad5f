"""kill -9 of a server while it prints on two printers: each order is on paper, and what is there twice is marked.

The suite runs a fast version; ``COMANDA_CRASH_ORDERS=600`` runs the same at length.
"""

import asyncio
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import threading
from contextlib import ExitStack
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import asyncpg
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda_printing.schemas import PORTS

from tests.plugins.printing.emulators import read_paper

ORDERS = int(os.environ.get("COMANDA_CRASH_ORDERS", "24"))
KILLS = max(2, ORDERS // 60)
# How often a printer vanishes after it has printed, before it confirms.
VANISHES = 0.15
NUMBER = re.compile(r"#(\d+)")
# As if what died had been left alone for long enough.
END_LEASES = (
    "UPDATE core_outbox SET due_at = now() WHERE done_at IS NULL AND due_at > now()",
    "UPDATE core_event_lane SET due_at = now(), leased_until = NULL WHERE due_at > now() OR leased_until > now()",
    """UPDATE printing_job SET leased_until = NULL, attempts = 0,
           next_attempt_at = CASE WHEN next_attempt_at > now() + interval '1 hour' THEN next_attempt_at ELSE now() END
       WHERE next_attempt_at IS NOT NULL AND (leased_until IS NOT NULL OR next_attempt_at > now())""",
)


class Papers:
    """What came out of a printer: order numbers, and whether the slip was marked as a copy."""

    def __init__(self):
        self.slips = []

    def add(self, document):
        rows = read_paper(document)
        number = next(found[1] for row in rows if (found := NUMBER.search(row)))
        self.slips.append((int(number), any("COPY" in row for row in rows)))

    @property
    def numbers(self):
        return {number for number, _ in self.slips}

    @property
    def unmarked(self):
        return sorted(number for number, is_copy in self.slips if not is_copy)


class SocketPrinter(Papers):
    """A printer in the network that sometimes goes away before it answers."""

    def __init__(self, stack):
        super().__init__()
        for port in PORTS:
            try:
                self._listener = socket.create_server(("127.0.0.1", port))
            except OSError:
                continue
            break
        stack.callback(self._listener.close)
        self.address = f"127.0.0.1:{port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                document = b""
                while not document.endswith(b"\x1dr\x01") and (part := connection.recv(65536)):
                    document += part
                # What was cut off is not on paper: a printer prints from its buffer, line by line, and cuts at the end.
                if document.endswith(b"\x1dr\x01"):
                    self.add(document)
                    if random.random() > VANISHES:
                        connection.sendall(b"\x00")


class PollingPrinter(Papers):
    """A printer with CloudPRNT that sometimes goes away before it confirms."""

    def __init__(self, path, url):
        super().__init__()
        self._path, self._url = path, url

    def poll(self):
        """Print the next job; return whether there was one. A server that is not there is asked another time."""
        try:
            ready = json.loads(self._send("POST", "", b'{"statusCode": "200%20OK"}'))
            if not ready["jobReady"]:
                return False
            query = f"?type=application/vnd.star.starprnt&token={ready['jobToken']}"
            self.add(self._send("GET", query))
            if random.random() > VANISHES:
                self._send("DELETE", f"{query}&code=200%20OK")
        except (OSError, HTTPError, ValueError):
            return False
        return True

    def _send(self, method, query, body=None):
        headers = {"Content-Type": "application/json"}
        with urlopen(Request(self._url() + self._path + query, body, headers, method=method), timeout=10) as answer:
            return answer.read()


class World:
    """A data folder with a database, and a server that is started again after each death."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        # This process uses the database too, so that it outlives the servers.
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        networks = {"COMANDA_PRINTING_ALLOWED_NETWORKS": "127.0.0.0/8", "COMANDA_REQUESTS_PER_MINUTE": "1000000"}
        self.installation = Installation(data, {**networks, "COMANDA_LOG_LEVEL": "critical"})
        self._stack = stack
        self.start()

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def url(self):
        return self.server.url

    def sql(self, *statements):
        """Run statements, and return the rows of the last one."""

        async def run():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return [await connection.fetch(statement) for statement in statements][-1]
            finally:
                await connection.close()

        return asyncio.run(run())


def place_orders(store, item_id, count):
    numbers = set()
    for number in range(count):
        body = {"type": "takeaway", "items": [{"item_id": item_id, "quantity": 1}]}
        while True:
            status, order = store.send("POST", "/orders", body, Idempotency_Key=f"order-{number}")
            if status in {200, 201}:
                numbers.add(order["number"])
                break
    return numbers


def test_every_order_is_on_paper_and_what_is_twice_is_marked():
    with ExitStack() as stack:
        world = World(stack)
        store = open_store(world.installation, world.url)
        item_id = store.add_item("Soup", 5)
        near = SocketPrinter(stack)
        store.send("POST", "/printers", {"name": "Near", "kind": "escpos_tcp", "address": near.address})
        _, made = store.send("POST", "/printers", {"name": "Far", "kind": "cloudprnt"})
        far = PollingPrinter("/" + made["url"].split("/", 3)[3], world.url)
        placed = set()
        placing = threading.Thread(target=lambda: placed.update(place_orders(store, item_id, ORDERS)))
        placing.start()
        for _ in range(KILLS):
            seen = len(far.slips)

            def has_printed(seen=seen):
                world.sql(*END_LEASES)
                return far.poll() and len(far.slips) >= seen + 3

            wait_for(has_printed, "three slips")
            world.kill()
        placing.join()

        looks = itertools.count()

        def is_done():
            # Now and then, as it takes the lease of what is being printed in this moment too.
            if next(looks) % 20 == 0:
                world.sql(*END_LEASES)
            while far.poll():
                pass
            waiting = world.sql("SELECT id FROM printing_job WHERE next_attempt_at IS NOT NULL")
            return not waiting and near.numbers == placed and far.numbers == placed

        wait_for(is_done, "an empty queue and every order on paper")

        dead = world.sql("SELECT id FROM printing_job WHERE dead_at IS NOT NULL")
        assert len(placed) == ORDERS
        # A slip may be lost on its way to the printer, and its copy the first on paper; never are two without a mark.
        for papers in (near, far):
            assert len(papers.unmarked) == len(set(papers.unmarked))
        assert dead == []
