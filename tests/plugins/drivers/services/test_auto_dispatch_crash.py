"""kill -9 of a server during automatic dispatch: no order is lost, none is assigned twice."""

import asyncio
import random
import shutil
import signal
import threading
import time
from collections import Counter
from contextlib import ExitStack

import asyncpg
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_migrated_data_folder,
    open_store,
    send_request,
)
from comanda.operations.embedded.server import EmbeddedPostgres

ORDERS = 24
KILLS = 2
DRIVERS = 3
SECONDS = 90
VARIABLES = {"COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "critical"}
TERMS = {"dispatch_mode": "offer", "offer_at": "created", "max_active_deliveries": 100, "driver_pay": 3}
# Orders in an inconsistent state: unassigned without a due step, or assigned and still offered.
# (None reaches the pool here: three rounds take longer.)
ADRIFT = """
    SELECT o.id FROM core_order o LEFT JOIN drivers_dispatch d ON d.order_id = o.id
    WHERE (o.delivery_status = 'pending' AND d.due_at IS NULL)
       OR (o.delivery_status <> 'pending' AND d.order_id IS NOT NULL)
       OR EXISTS (SELECT FROM drivers_offer f
          WHERE f.order_id = o.id AND f.state = 'open' AND o.delivery_status <> 'pending')
"""
# As if the half minute were over for which the killed server had claimed its work.
END_LEASES = (
    "UPDATE drivers_dispatch SET leased_until = now() WHERE leased_until > now()",
    "UPDATE core_event_lane SET leased_until = now() WHERE leased_until > now()",
    "UPDATE core_outbox SET due_at = now() WHERE done_at IS NULL AND due_at > now()",
)
HELD = "SELECT order_id, driver_id FROM drivers_assignment WHERE released_at IS NULL"
SAID = "SELECT (data->>'order_id')::bigint AS id FROM core_outbox WHERE name = 'order.driver_assigned'"


class Town:
    """A store that makes offers, drivers who respond, and a server that is restarted after each kill."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.installation = Installation(data, VARIABLES)
        self._stack = stack
        self.start()
        self.store = open_store(self.installation, lambda: self.server.url)
        assert self.store.send("PUT", "/delivery-terms", TERMS)[0] == 200
        self.soup = self.store.add_item("Soup", 5)
        self.tokens = [self._driver(number) for number in range(DRIVERS)]
        self.answers, self.is_over = Counter(), threading.Event()

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def ask(self, token, method, path, body=None):
        status, document = send_request(method, f"{self.server.url}/api/v1{path}", token, body)
        self.answers[status] += 1
        return status, document

    def _driver(self, number):
        body = {"name": f"Driver {number}", "phone": f"+3519612345{number:02}"}
        _, made = send_request("POST", f"{self.server.url}/api/v1/drivers", self.store.token, body)
        assert send_request("POST", f"{self.server.url}/api/v1/driver/shift", made["token"], {"status": "on"})[0] == 200
        return made["token"]

    def place(self):
        """Place all orders, each once."""
        for number in range(ORDERS):
            body = {
                "type": "delivery",
                "address": "Rua da Prata 8",
                "items": [{"item_id": self.soup}],
                "client_uuid": f"00000000-0000-4000-8000-{number:012}",
            }
            while not self.is_over.is_set() and self.store.send("POST", "/orders", body)[0] != 201:
                time.sleep(0.05)

    def drive(self, token):
        """Accept most offers and reject some."""
        while not self.is_over.is_set():
            _, found = self.ask(token, "GET", "/driver/offers")
            for offer in (found or {}).get("data", []):
                act = "reject" if random.random() < 0.2 else "accept"
                self.ask(token, "POST", f"/driver/offers/{offer['id']}/{act}", {} if act == "reject" else None)
            time.sleep(0.05)

    def read(self, statement):
        async def connected():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return [tuple(row) for row in await connection.fetch(statement)]
            finally:
                await connection.close()

        return asyncio.run(connected())


def test_offers_survive_kill_9():
    with ExitStack() as stack:
        town = Town(stack)
        work = [threading.Thread(target=town.place)]
        work += [threading.Thread(target=town.drive, args=(token,)) for token in town.tokens]
        for each in work:
            each.start()
        try:
            for _ in range(KILLS):
                time.sleep(random.uniform(0.3, 1.2))
                town.server.stop(signal.SIGKILL)
                assert town.read(ADRIFT) == []
                for statement in END_LEASES:
                    town.read(statement)
                town.start()
            work[0].join(MAX_WAIT_SECONDS)
            # An order that all drivers rejected waits for a minute.
            deadline = time.monotonic() + SECONDS
            settled = "SELECT count(*) FROM drivers_dispatch WHERE due_at < now() + interval '5 s'"
            while time.monotonic() < deadline and town.read(settled) != [(0,)]:
                time.sleep(0.2)
        finally:
            town.is_over.set()
            for each in work:
                each.join()
        adrift, held, said = town.read(ADRIFT), town.read(HELD), town.read(SAID)
        placed, looking = town.read("SELECT id FROM core_order"), town.read("SELECT order_id FROM drivers_dispatch")

    assert town.answers[0] + town.answers[503] > 0, "no driver noticed a kill: they were no test"
    assert adrift == []
    assert len(placed) == ORDERS
    assert len({order_id for order_id, _ in held}) == len(held) == len(said) == len(set(said))
    assert {order_id for order_id, _ in held} | {row[0] for row in looking} == {row[0] for row in placed}
