"""kill -9 of a server while a bank pays out and accounts are checked: each payout and each part is recorded once."""

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

from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, send_request, wait_for

ORDERS, CHECKERS, KILLS = 16, 8, 3
VARIABLES = {"COMANDA_DEVELOPMENT": "1", "COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "critical"}
FOUND = """
import json
from comanda.cli.session import call
from comanda.platform.db import sql

async def read():
    made = await sql.fetch("SELECT reference, state, amount_minor FROM demobank_payout")
    payouts = await sql.fetch("SELECT reference, state, amount_minor FROM payments_payout")
    parts = await sql.fetch('''
        SELECT y.reference AS payout, p.order_id, e.amount_minor - e.fee_minor AS net
        FROM payments_payout_part e JOIN payments_payout y ON y.id = e.payout_id
        JOIN payments_payment p ON p.charge_reference = e.charge_reference''')
    events = await sql.fetch('''
        SELECT data->>'reference' AS reference, data->>'state' AS state FROM core_outbox
        WHERE name = 'payout.changed' ''')
    return [[list(row.values()) for row in rows] for rows in (made, payouts, parts, events)]

print(json.dumps(call(read)))
"""


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class World:
    """A server in development, which is started again after each death, with a store whose guests are about to pay."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.installation = Installation(data, VARIABLES)
        self._stack = stack
        self.unanswered, self.done, self.is_over = 0, 0, False
        self.start()
        self.store = open_store(self.installation, lambda: self.server.url, "Payouts")
        self.item_id = self.store.add_item("Soup", 10)
        self.account = self.send("POST", "/payment-accounts", {"provider": "demo"})
        self.checks = []
        self.pages = [self.open_page() for _ in range(ORDERS)]

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def send(self, method, path, body=None):
        status, document = send_request(method, f"{self.server.url}/api/v1{path}", self.store.token, body)
        assert status in (200, 201), document
        return document

    def open_page(self):
        order = {"type": "takeaway", "items": [{"item_id": self.item_id, "quantity": 2}]}
        path = f"/orders/{self.store.send('POST', '/orders', order)[1]['id']}/payments"
        _, payment = self.store.send("POST", path, {"method": "demo", "return_url": "https://a.example"})
        self.checks.append(f"{path}/{payment['id']}/check")
        return payment["redirect_url"].partition("/demobank/")[2]

    def answer(self, page, answer):
        data = urlencode({"answer": answer}).encode()
        try:
            build_opener(NoRedirect).open(Request(f"{self.server.url}/demobank/{page}/answer", data), timeout=20)
        except HTTPError as error:
            error.close()  # the redirect
            return True
        except OSError:
            self.unanswered += 1  # nobody knows whether the bank heard it
        return False

    def run_bank(self):
        """Pay out after each of the payments, and have half of the payouts arrive."""
        for number, page in enumerate(self.pages):
            wait_for(lambda page=page: self.answer(page, "pay"), "an answer")
            self.answer(page, "payout")
            if number % 2:
                self.answer(page, "arrive")
            self.done += 1

    def keep_checking(self):
        while not self.is_over:
            path = f"{self.server.url}/api/v1/payment-accounts/{self.account['id']}/check"
            status, document = send_request("POST", path, self.store.token, None)
            assert status in (0, 200, 503), document
            self.unanswered += status == 0


def test_payouts_survive_kill_9():
    with ExitStack() as stack:
        world = World(stack)
        with ThreadPoolExecutor(CHECKERS + 1) as pool:
            checkers = [pool.submit(world.keep_checking) for _ in range(CHECKERS)]
            bank = pool.submit(world.run_bank)
            for share in range(1, KILLS + 1):
                wanted = share * ORDERS / (KILLS + 1)
                wait_for(lambda wanted=wanted: world.done >= wanted or bank.done(), "payouts")
                time.sleep(random.uniform(0, 0.2))
                world.kill()
            bank.result()
            world.is_over = True
            for each in checkers:
                each.result()
        # Whatever the bank did not hear, it is told again.
        world.answer(world.pages[-1], "payout")
        world.send("POST", f"/payment-accounts/{world.account['id']}/check")
        for path in world.checks:
            assert world.store.send("POST", path)[1]["status"] == "succeeded"
        made, payouts, parts, events = json.loads(world.installation.run_program(FOUND))

    assert world.unanswered > 0, "nobody noticed a kill: they were no test"
    assert len(made) > KILLS
    assert sorted(payouts) == sorted(made)
    assert len({order_id for _, order_id, _ in parts}) == len(parts) == ORDERS
    amounts = {reference: amount for reference, _, amount in made}
    assert {each: sum(net for payout, _, net in parts if payout == each) for each in amounts} == amounts
    assert len({tuple(event) for event in events}) == len(events)
    assert {tuple(event) for event in events} >= {(reference, state) for reference, state, _ in made}
