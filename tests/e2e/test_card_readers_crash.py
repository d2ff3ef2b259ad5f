"""kill -9 of a server while guests pay on card readers: each order is paid once, and each card is charged once.

The readers are those of the demo bank, which is in the server, and terminals of Mollie, which loses some answers.
"""

import json
import random
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, send_request, wait_for
from mollie_api import KEY, MollieApi
from served_banks import serve_in_a_thread, to_minor

ORDERS, READERS, KILLS = 24, 4, 3
VARIABLES = {"COMANDA_DEVELOPMENT": "1", "COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "critical"}
RECONCILE = """
from comanda.cli.session import call
from comanda_payments import tasks

call(tasks.reconcile)
"""
FOUND = """
import json
from comanda.cli.session import call
from comanda.platform.db import sql

async def read():
    orders = await sql.fetch("SELECT payment_status, total_minor, paid_minor FROM core_order")
    payments = await sql.fetch("SELECT order_id, status, amount_minor FROM payments_payment")
    paid = await sql.fetch("SELECT (data->>'order_id')::bigint AS id FROM core_outbox WHERE name = 'order.paid'")
    return [[list(row.values()) for row in rows] for rows in (orders, payments, paid)]

print(json.dumps(call(read)))
"""
CHARGES = """
import json
from comanda.cli.session import call
from comanda.platform.db import sql

async def read():
    return [list(row.values()) for row in await sql.fetch("SELECT key, state, amount_minor FROM demobank_charge")]

print(json.dumps(call(read)))
"""


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class DemoBank:
    """The readers of the demo bank, which are pages of the server."""

    account = {"provider": "demo"}
    variables = {}

    def open_readers(self, world, path):
        return [world.send("POST", path, {"name": f"{number}"})["reference"] for number in range(READERS)]

    def hold_card(self, world, reader):
        data = urlencode({"answer": "pay"}).encode()
        try:
            url = f"{world.server.url}/demobank-readers/{reader}/answer"
            build_opener(NoRedirect).open(Request(url, data), timeout=20)
        except HTTPError as error:
            error.close()  # the redirect
        except OSError:
            pass  # nobody knows whether the card was read

    def list_charges(self, world):
        return json.loads(world.installation.run_program(CHARGES))


class MollieTerminals:
    """Terminals at Mollie, which lose some answers after the work is done."""

    account = {"provider": "mollie", "credentials": {"api_key": KEY}}

    def __init__(self, api):
        self.api = api
        self.variables = {"COMANDA_MOLLIE_URL": api.url}

    def open_readers(self, world, path):
        for number in range(READERS):
            self.api.add_terminal(f"term_{number}", f"{number}", "pfl_own")
        return [each["reference"] for each in world.send("GET", path) if each["reference"] != "term_bar"]

    def hold_card(self, world, reader):
        if (payment := self.api.get_asking(reader)) is not None:
            self.api.pay(payment)
        self.api.lose += random.random() < 0.2

    def list_charges(self, world):
        payments = self.api.payments.values()
        return [[each["metadata"]["comanda_key"], each["status"], to_minor(each)] for each in payments]


@pytest.fixture(params=["demo", "mollie"])
def bank(request):
    with ExitStack() as stack:
        is_demo = request.param == "demo"
        yield DemoBank() if is_demo else MollieTerminals(stack.enter_context(serve_in_a_thread(MollieApi())))


class World:
    """A server in development, which is started again after each death, with a store and its readers."""

    def __init__(self, stack, bank):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.bank = bank
        self.installation = Installation(data, VARIABLES | bank.variables)
        self._stack = stack
        self.deaths = self.unanswered = self.done = 0
        self.start()
        self.store = open_store(self.installation, lambda: self.server.url, "Readers")
        item_id = self.store.add_item("Soup", 10)
        account = self.send("POST", "/payment-accounts", bank.account)
        self.readers = bank.open_readers(self, f"/payment-accounts/{account['id']}/readers")
        soup = {"type": "takeaway", "items": [{"item_id": item_id, "quantity": 2}]}
        self.orders = [self.store.send("POST", "/orders", soup)[1]["id"] for _ in range(ORDERS)]

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()
        self.deaths += 1

    def send(self, method, path, body=None):
        status, document = send_request(method, f"{self.server.url}/api/v1{path}", self.store.token, body)
        assert status in (200, 201), document
        return document

    def serve_guests(self, number):
        """Take the orders of one reader, one after another, until the till knows that each is paid."""
        for order_id in self.orders[number::READERS]:
            self.take_payment(order_id, self.readers[number])
            self.done += 1

    def take_payment(self, order_id, reader):
        path, body = f"/orders/{order_id}/payments", {"method": self.bank.account["provider"], "reader": reader}
        payment = self.until(201, lambda: self.store.send("POST", path, body, Idempotency_Key=f"pay-{order_id}"))
        check = f"{path}/{payment['id']}/check"
        while payment["status"] == "pending":
            self.bank.hold_card(self, reader)
            payment = self.until(200, lambda: self.store.send("POST", check))
        assert payment["status"] == "succeeded", payment

    def until(self, wanted, ask):
        def ask_once():
            status, document = ask()
            self.unanswered += status == 0
            return None if status in (0, 503) or random.random() < 0.1 else (status, document)

        status, document = wait_for(ask_once, "an answer")
        assert status == wanted, document
        return document


def test_payments_on_readers_survive_kill_9(bank):
    with ExitStack() as stack:
        world = World(stack, bank)
        with ThreadPoolExecutor(READERS) as pool:
            work = [pool.submit(world.serve_guests, number) for number in range(READERS)]
            for share in range(1, KILLS + 1):
                wanted = share * ORDERS / (KILLS + 1)
                wait_for(lambda wanted=wanted: world.done >= wanted or all(each.done() for each in work), "payments")
                time.sleep(random.uniform(0, 0.05))
                world.kill()
            for each in work:
                each.result()
        world.installation.run_program(RECONCILE)
        orders, payments, paid = json.loads(world.installation.run_program(FOUND))
        charges = bank.list_charges(world)

    assert world.unanswered > 0, "no till noticed a kill: they were no test"
    assert orders == [["paid", 2000, 2000]] * ORDERS
    assert sorted(payments) == [[order_id, "succeeded", 2000] for order_id in sorted(world.orders)]
    assert [charge[1:] for charge in charges] == [["paid", 2000]] * ORDERS
    assert len({charge[0] for charge in charges}) == ORDERS
    assert sorted(paid) == [[order_id] for order_id in sorted(world.orders)]
