"""kill -9 of a server while its orders are paid and refunded: nothing is charged twice, nothing is lost.

The orders are paid at each of the providers in turn, which lose some answers after the work is done. The suite runs a
fast version; ``COMANDA_CRASH_ORDERS=2000`` runs the same at length.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack

import asyncpg
import pytest
from comanda.devkit.testing import Installation, LiveStore, create_migrated_data_folder, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres
from served_banks import MollieBank, StripeBank, serve_in_a_thread

ORDERS = int(os.environ.get("COMANDA_CRASH_ORDERS", "60"))
KILLS = max(4, ORDERS // 60)
CLIENTS = 8
CARD, CREDIT = 10 * ORDERS, 20 * ORDERS
# A token may spend so many codes a minute, and each repeat is one.
ORDERS_PER_TOKEN = 8
VARIABLES = {
    "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    "COMANDA_LOG_LEVEL": "critical",
}

SET_UP = """
import json, sys
from comanda.basics import clock
from comanda.platform import runtime
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.stores.services import create_store
from comanda_customers.models import Customer
from comanda_payments.services.accounts import terms
from comanda_payments.services.accounts.fees import Fee

async def work():
    owner = await create_owner("live@example.com", "Live")
    await terms.set_loan(owner.id, lends_account=True)
    await terms.set_fee(owner.id, None, Fee(10_000))
    store_id = await create_store(owner.id, "Live", "restaurant")
    kind = runtime.registry().caller_kinds["owner"]
    tokens = [await issue_owner_token(kind, owner.id, ["*"], name="test") for _ in range(int(sys.argv[1]))]
    columns = {"name": "Ada", "email": "ada@example.com", "created_at": clock.now()}
    ada = await Customer.create(owner_id=owner.id, store_id=store_id, **columns)
    return {"id": store_id, "tokens": [token.secret for token in tokens], "customer": ada.id}

print(json.dumps(call(work)))
"""
RECONCILE = """
from comanda.cli.session import call
from comanda_payments import tasks

call(tasks.reconcile)
"""
# As if the bank had been left alone for long enough.
DUE = (
    "UPDATE payments_payment SET check_at = now() WHERE check_at IS NOT NULL",
    "UPDATE payments_refund_part SET check_at = now() WHERE check_at IS NOT NULL",
)
FOUND = {
    "orders": "SELECT id, payment_status, total_minor, paid_minor, refunded_minor FROM core_order",
    "payments": """SELECT id, order_id, method, status, amount_minor, tip_minor, refunded_minor, idempotency_key,
        gateway_reference FROM payments_payment""",
    "refunds": "SELECT id, order_id, status, amount_minor, idempotency_key FROM payments_refund",
    "parts": """SELECT r.amount_minor, r.status, r.gateway_reference, p.method FROM payments_refund_part r
        JOIN payments_payment p ON p.id = r.payment_id""",
    "card": """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry) AS of_entries
        FROM payments_gift_card""",
    "credit": """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_credit_entry) AS of_entries
        FROM payments_credit_account""",
    "paid": "SELECT (data->>'order_id')::bigint AS id FROM core_outbox WHERE name = 'order.paid'",
    "fees": """SELECT p.id, p.fee_minor, coalesce((SELECT sum(l.amount_minor) FROM wallet_entry e
            JOIN wallet_leg l ON l.entry_id = e.id WHERE e.kind = 'fee' AND l.account = 'revenue'
            AND e.reference = 'payment-' || p.id), 0)::bigint AS recorded_minor
        FROM payments_payment p WHERE p.gateway_reference IS NOT NULL""",
    "amendments": "SELECT order_id, kind FROM core_order_amendment",
    "amended": "SELECT (data->>'order_id')::bigint, data->>'kind' FROM core_outbox WHERE name = 'order.amended'",
    "audited": """SELECT (before_ids->>'order_id')::bigint, outcome FROM core_audit_entry
        WHERE action LIKE '%void%'""",
    "back": "SELECT (data->>'refund_id')::bigint AS id FROM core_outbox WHERE name = 'refund.completed'",
}


@pytest.fixture(params=[StripeBank, MollieBank])
def bank(request):
    bank = request.param()
    with serve_in_a_thread(bank.api):
        yield bank


class World:
    """A data folder with a database, a bank, and a server that is started again after each death."""

    def __init__(self, stack, bank):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        # This process uses the database too, so that it outlives the servers.
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.bank = bank
        self.installation = Installation(data, {**VARIABLES, **bank.get_variables()})
        self._stack = stack
        self.start()

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def url(self):
        return self.server.url

    def script(self, script, *arguments):
        return self.installation.run_program(script, *arguments)

    def sql(self, work):
        async def connected():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return await work(connection)
            finally:
                await connection.close()

        return asyncio.run(connected())


class Till:
    """Pays orders and gives money back, with a key for each act, which it repeats until it knows that it is done."""

    def __init__(self, world):
        self.world = world
        made = json.loads(world.script(SET_UP, str(ORDERS // ORDERS_PER_TOKEN + 1)))
        self.stores = [LiveStore(made["id"], token, world.url) for token in made["tokens"]]
        self.answers, self.statuses, self.done = {}, Counter(), 0
        self.gave_up = threading.Event()
        self._lock = threading.Lock()
        self._open(made["customer"])

    def _open(self, customer_id):
        store = self.stores[0]
        soup = {"item_id": store.add_item("Soup", 10), "quantity": 2}
        _, self.card = store.send("POST", "/gift-cards", {"amount": CARD})
        store.send("POST", f"/store-credit/{customer_id}/entries", {"amount": CREDIT, "note": "x"})
        placed = [store.send("POST", "/orders", {"type": "takeaway", "items": [soup]})[1] for _ in range(ORDERS)]
        self.orders = [order["id"] for order in placed]
        self.lines = [order["items"][0]["id"] for order in placed]
        self.world.sql(lambda connection: connection.execute("UPDATE core_order SET customer_id = $1", customer_id))

    def work(self, number):
        """Pay an order of 20.00 in one of four ways, and give some of it back where the number says so."""
        (self._with_card, self._with_credit, self._online, self._in_parts)[number % 4](number)
        if number % 3 == 0 and not is_silent(number):
            self._act(number, "refunds", "back", {"reason": "x", "amount": 15 if number % 2 else 7.5})
        with self._lock:
            self.done += 1

    def _with_card(self, number):
        self._pay(number, "a", method="gift_card", amount=9.99, code=self.card["code"])
        self._pay(number, "b", method="cash", amount=50)

    def _with_credit(self, number):
        self._pay(number, "a", method="store_credit", tip=1)

    def _in_parts(self, number):
        self._pay(number, "a", method="card_external", amount=5, tip=0.5)
        self._pay(number, "b", method="gift_card", amount=0.01, code=self.card["code"])
        self._pay(number, "c", method="store_credit")

    def _online(self, number):
        bank = self.world.bank
        payment = {"redirect_url": None}
        while payment["redirect_url"] is None:
            payment = self._pay(number, "a", method=bank.method, tip=2)
        page = payment["redirect_url"].rpartition("/")[2]
        bank.pay(page)
        if not is_silent(number):
            url = "{}/api/v1/payments/webhooks/" + bank.method
            self._until(200, lambda: bank.report(url.format(self.world.url()), page))

    def _pay(self, number, key, **body):
        return self._act(number, "payments", key, body)

    def _act(self, number, what, key, body):
        if random.random() < 0.1:
            self.world.bank.api.lose += 1
        store, path = self.stores[number // ORDERS_PER_TOKEN], f"/orders/{self.orders[number]}/{what}"
        named = f"{number}{key}"
        made = self._until(201, lambda: store.send("POST", path, body, Idempotency_Key=named))
        with self._lock:
            first = self.answers.setdefault(named, made)
        assert made["id"] == first["id"]
        return made

    def _until(self, wanted, ask):
        def ask_once():
            if self.gave_up.is_set():
                raise CancelledError
            status, document = ask()
            with self._lock:
                self.statuses[status] += 1
            # No answer, one that asks to come back, or one that gets lost although the server lives.
            is_unknown = status in (0, 503) or (status == wanted and random.random() < 0.05)
            return None if is_unknown else (status, document)

        status, document = wait_for(ask_once, "an answer", show=lambda: self.statuses)
        assert status == wanted, document
        return document


class Manager(Till):
    """Opens each order again after it was paid, and voids half of it with the difference refunded in the same act."""

    def work(self, number):
        (self._with_card, self._with_credit, self._online, self._in_parts)[number % 4](number)
        if not is_silent(number):
            store, path = self.stores[number // ORDERS_PER_TOKEN], f"/orders/{self.orders[number]}/reopen"
            self._until(200, lambda: store.send("POST", path, {"reason": "x"}))
            self.void(number)
        with self._lock:
            self.done += 1

    def void(self, number):
        body = {"quantity": 1, "reason": "Cold", "refund": {}}
        return self._act(number, f"lines/{self.lines[number]}/void", "void", body)


def is_silent(number):
    """Return whether the bank says nothing of this order's payment until it is asked."""
    return number % 8 == 2


def run(world, till):
    """Pay all orders while the server is killed at random moments, then let the bank be asked what is left."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        work = [pool.submit(till.work, number) for number in range(ORDERS)]
        try:
            for share in range(KILLS):
                wanted = random.uniform(share, share + 1) * ORDERS / (KILLS + 1)
                wait_for(
                    lambda wanted=wanted: till.done >= wanted or all(each.done() for each in work),
                    "payments before a kill",
                    show=lambda: till.statuses,
                )
                time.sleep(random.uniform(0, 0.02))
                world.kill()
            for each in work:
                each.result()
        except BaseException:
            till.gave_up.set()
            raise
    for _ in range(3):
        if world.sql(_hurry):
            world.script(RECONCILE)
    return world.sql(_read)


async def _hurry(connection):
    counts = [int((await connection.execute(statement)).split()[1]) for statement in DUE]
    return sum(counts)


async def _read(connection):
    return {name: await connection.fetch(statement) for name, statement in FOUND.items()}


def test_voids_with_a_refund_survive_kill_9(bank):
    with ExitStack() as stack:
        world = World(stack, bank)
        till = Manager(world)
        found = run(world, till)
        voided = [number for number in range(ORDERS) if not is_silent(number)]
        first = {number: till.answers[f"{number}void"] for number in voided}
        repeated = {number: till.void(number) for number in voided}
        again = world.sql(_read)

    assert till.statuses[0] + till.statuses[503] > 0, "no client noticed a kill: they were no test"
    # A repeat gets the first answer, and changes nothing.
    assert repeated == first
    assert _count_rows(again) == _count_rows(found)
    assert {(answer["total"], answer["items"][0]["quantity"]) for answer in first.values()} == {(10, 1)}
    # Of each order half was kept, voided once and refunded once, and it was announced and audited once.
    orders = {till.orders[number]: (10_00, 20_00, 10_00) for number in voided}
    assert {row["id"]: tuple(row)[2:] for row in found["orders"] if row["id"] in orders} == orders
    assert _by(found["refunds"], "order_id", "amount_minor") == dict.fromkeys(orders, 10_00)
    assert {row["status"] for row in found["refunds"] + found["parts"]} == {"completed"}
    assert len(found["refunds"]) == len(found["back"]) == len(voided)
    assert {row["id"] for row in found["back"]} == {row["id"] for row in found["refunds"]}
    steps = sorted((id, kind) for id in orders for kind in ("reopen", "void"))
    assert sorted(map(tuple, found["amendments"])) == sorted(map(tuple, found["amended"])) == steps
    assert sorted(map(tuple, found["audited"])) == sorted((id, "ok") for id in orders)
    _check_books(world, found)


def test_payments_and_refunds_survive_kill_9(bank):
    with ExitStack() as stack:
        world = World(stack, bank)
        till = Till(world)
        found = run(world, till)

    assert till.statuses[0] + till.statuses[503] > 0, "no client noticed a kill: they were no test"
    # Every order is paid once, to the unit, and each act that was acknowledged is there, once, and no other.
    refunded = {number: (15_00 if number % 2 else 7_50) for number in range(0, ORDERS, 3) if not is_silent(number)}
    wanted = {till.orders[number]: (20_00, 20_00, refunded.get(number, 0)) for number in range(ORDERS)}
    assert {row["id"]: tuple(row)[2:] for row in found["orders"]} == wanted
    acts = [(row["idempotency_key"], row["id"]) for table in ("payments", "refunds") for row in found[table]]
    assert sorted(acts) == sorted((key, answer["id"]) for key, answer in till.answers.items())
    assert {row["status"] for row in found["payments"]} == {"succeeded"}
    assert {row["status"] for row in found["refunds"] + found["parts"]} == {"completed"}
    assert _by(found["payments"], "order_id", "amount_minor") == dict.fromkeys(till.orders, 20_00)
    back = {till.orders[number]: amount for number, amount in refunded.items()}
    assert _by(found["refunds"], "order_id", "amount_minor") == back
    # Each of them was announced, once.
    assert sorted(row["id"] for row in found["paid"]) == sorted(till.orders)
    assert sorted(row["id"] for row in found["back"]) == sorted(row["id"] for row in found["refunds"])
    assert sum(row["amount_minor"] for row in found["parts"] if row["method"] == bank.method) > 0
    assert {row["fee_minor"] for row in found["fees"]} == {22}
    _check_books(world, found)


def _check_books(world, found):
    """The ledgers hold what was not spent, and the bank's books are those of the store."""
    parts = _by(found["parts"], "method", "amount_minor")
    for name, method, start in (("card", "gift_card", CARD), ("credit", "store_credit", CREDIT)):
        spent = sum(row["amount_minor"] + row["tip_minor"] for row in found["payments"] if row["method"] == method)
        left = start * 100 - spent + parts.get(method, 0)
        assert [tuple(row) for row in found[name]] == [(left, left)]
    bank = world.bank
    online = {row["gateway_reference"]: row["amount_minor"] + row["tip_minor"]
              for row in found["payments"] if row["method"] == bank.method}  # fmt: skip
    assert bank.list_collected() == online
    given = {row["gateway_reference"]: row["amount_minor"] for row in found["parts"] if row["method"] == bank.method}
    assert bank.list_refunded() == given
    # What the operator keeps of each is in the ledger, once.
    assert all(row["fee_minor"] == row["recorded_minor"] for row in found["fees"])


def _count_rows(found):
    return {name: Counter(map(tuple, rows)) for name, rows in found.items()}


def _by(rows, key, value):
    sums = defaultdict(int)
    for row in rows:
        sums[row[key]] += row[value]
    return dict(sums)
