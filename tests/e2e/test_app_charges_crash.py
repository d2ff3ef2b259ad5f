"""kill -9 of the processes that charge for apps: the accounts equal those of a run in which nothing died."""

import asyncio
import json
import os
import random
import shutil
import signal
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise

import asyncpg
import pytest
from app_platform import AppPlatform
from comanda.devkit.testing import await_condition, create_data_folder
from comanda_marketplace.message_templates import PAYMENT_FAILED as FAILURE_TEMPLATE

OWNERS = 12
POOR = range(0, OWNERS, 2)
# Half of those whose wallets run empty add money within the week of attempts.
SAVED = POOR[::2]
PRICES = {"Monthly": 990, "Trial": 425}
FUNDS, POOR_FUNDS = 100_000, 2500
SHARE_PERCENT = 80
# The days that pass, and what follows on each: the first charges, a period, seven periods at once, three more attempts.
STEPS = (0, 30, 210, 1, 2, 4)
TOP_UP_BEFORE = 4
# In these steps two processes charge at once and both are killed, after at most so many attempts.
KILLS = {0: (8,), 1: (12,), 2: (30, 30), 5: (2,)}
PAYMENT_FAILED = FAILURE_TEMPLATE.name
CHARGES_OF_APP = {"Monthly": 9, "Trial": 8}
VARIABLES = {"COMANDA_DEVELOPMENT": "1", "COMANDA_TEST_CLOCK": "1", "COMANDA_LOG_LEVEL": "critical"}
SET_UP = f"""
async def work():
    developer = (await create_owner("developer@example.com", "developer")).id
    monthly = await publish(developer, "Monthly", Billing.RECURRING, "{PRICES["Monthly"] / 100}")
    trial = await publish(developer, "Trial", Billing.RECURRING, "{PRICES["Trial"] / 100}", trial_days=14)
    owners = []
    for number in range({OWNERS}):
        owner_id = (await create_owner(f"owner-{{number}}@example.com", "owner")).id
        is_poor = number in {list(POOR)}
        await wallet.top_up(owner_id, {POOR_FUNDS} if is_poor else {FUNDS}, "test")
        await install(owner_id, monthly)
        if not is_poor:
            await install(owner_id, trial)
        owners.append(owner_id)
    return {{"developer": developer, "owners": owners}}

print(json.dumps(call(work)))
"""
# Loads the plugins once and forks a process for each command, as the supervisor of a server does for each web process.
FORKING_PROCESS = """
import asyncio, json, os, sys, traceback
from datetime import timedelta
from comanda.composition.app import open_runtime
from comanda.composition.bootstrap import start_runtime
from comanda.platform.observability import configure_logging
from comanda.platform.settings import Settings, read_settings
from comanda.platform.test_clock import services
from comanda_marketplace import tasks
from comanda_wallet import api as wallet

async def work(name, *values):
    async with open_runtime(made, with_background=False):
        if name == "advance":
            await services.advance(timedelta(days=int(values[0])))
        elif name == "top-up":
            await wallet.top_up(int(values[0]), int(values[1]), "later")
        else:
            await tasks.charge_due()

settings = read_settings(Settings)
configure_logging(settings.log_level, settings.log_format)
made = start_runtime(settings)
running, codes = 0, []

def reap(options):
    global running
    while running and (ended := os.waitpid(-1, options))[0]:
        codes.append(os.waitstatus_to_exitcode(ended[1]))
        running -= 1

for line in sys.stdin:
    if line.strip() == "running":
        reap(os.WNOHANG)
        print(running, flush=True)
        continue
    if line.strip() == "wait":
        reap(0)
        print(json.dumps(codes), flush=True)
        codes.clear()
        continue
    pid = os.fork()
    if pid == 0:
        try:
            asyncio.run(work(*line.split()))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    running += 1
    print(pid, flush=True)
"""
# What two runs must have in common; the moments at which their processes charged differ by seconds.
ACCOUNTS = {
    "charges": "SELECT owner_id, installation_id, period_start, period_end, amount_minor FROM marketplace_charge",
    "installations": """SELECT id, owner_id, billing_status, period_start, period_end, failed_attempts,
        next_charge_at IS NULL FROM marketplace_installation""",
    "entries": "SELECT owner_id, kind, amount_minor, currency, reference, description, actor FROM wallet_entry",
    "legs": """SELECT e.reference, e.owner_id, l.account, l.account_owner_id, l.amount_minor
        FROM wallet_leg l JOIN wallet_entry e ON e.id = l.entry_id AND e.owner_id = l.owner_id""",
    "wallets": "SELECT owner_id, balance_minor FROM wallet_wallet",
    "entitlements": "SELECT owner_id, source_type, source_id, features::text FROM entitlements_source",
    "messages": "SELECT owner_id, purpose, channel, address, subject FROM notifications_message",
    "events": "SELECT owner_id, name, (data::jsonb - 'occurred_at' - 'installed_at')::text FROM core_outbox",
}
COUNT_ATTEMPTS = """
    SELECT (SELECT count(*) FROM marketplace_charge)
        + (SELECT coalesce(sum(failed_attempts), 0) FROM marketplace_installation)
"""


class Processes:
    """Processes of an installation, each of which carries out one command."""

    def __init__(self, platform):
        self._url = platform.database_url
        self._running = platform.installation.running_program(FORKING_PROCESS)

    def __enter__(self):
        self._parent = self._running.__enter__()
        return self

    def __exit__(self, *error):
        self._running.__exit__(*error)

    def start(self, command):
        return int(self._send(command))

    def wait(self):
        """Wait until all processes have ended; return their exit codes."""
        return json.loads(self._send("wait"))

    def run(self, command, count=1):
        for _ in range(count):
            self.start(command)
        assert self.wait() == [0] * count

    def charge_and_kill(self, max_attempts):
        """Let two processes charge, and kill both after some attempts; return the exit codes and the attempts."""
        return asyncio.run(self._charge_and_kill(random.randint(1, max_attempts)))

    async def _charge_and_kill(self, wanted):
        connection = await asyncpg.connect(self._url)
        try:
            before = await connection.fetchval(COUNT_ATTEMPTS)
            pids = [self.start("charge") for _ in range(2)]

            async def is_time():
                return await connection.fetchval(COUNT_ATTEMPTS) >= before + wanted or self._send("running") == "0\n"

            await await_condition(is_time, f"{wanted} attempts")
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return self.wait(), await connection.fetchval(COUNT_ATTEMPTS) - before
        finally:
            await connection.close()

    def _send(self, line):
        self._parent.stdin.write(f"{line}\n")
        self._parent.stdin.flush()
        return self._parent.stdout.readline()


def take_steps(platform, owners, kills):
    """Take all steps, with processes that are killed before two others finish; return what became of each kill."""
    killed = []
    with Processes(platform) as processes:
        for step, days in enumerate(STEPS):
            if days:
                processes.run(f"advance {days}")
            if step == TOP_UP_BEFORE:
                for number in SAVED:
                    processes.run(f"top-up {owners[number]} {FUNDS}")
            killed += [processes.charge_and_kill(max_attempts) for max_attempts in kills.get(step, ())]
            processes.run("charge", count=2)
    return killed


@pytest.fixture
def platforms(new_migrated_database):
    """Return two installations with the same owners and apps, and their ids."""
    # One data folder, because the databases share its keys.
    data = create_data_folder()
    urls = [new_migrated_database(f"comanda_app_charges_{number}") for number in range(2)]
    killed, undisturbed = [AppPlatform(data, url, **VARIABLES) for url in urls]
    ids = killed.prepare(SET_UP)
    undisturbed.copy_database(killed)
    yield killed, undisturbed, ids
    shutil.rmtree(data, ignore_errors=True)


def test_charges_survive_kill_9(platforms):
    killed, undisturbed, ids = platforms

    with ThreadPoolExecutor() as pool:
        calm = pool.submit(take_steps, undisturbed, ids["owners"], {})
        kills = take_steps(killed, ids["owners"], KILLS)
        calm.result()

    accounts = read_accounts(killed)
    assert accounts == read_accounts(undisturbed)
    in_the_middle = [attempts for codes, attempts in kills if codes == [-signal.SIGKILL] * 2 and attempts]
    assert len(in_the_middle) >= 2, f"Hardly a process was killed in the middle of its work: {kills}"
    check_charges(accounts, ids)
    killed.verify_ledger()


def read_accounts(platform):
    return {name: Counter(platform.fetch(statement)) for name, statement in ACCOUNTS.items()}


def check_charges(accounts, ids):
    """Each period of each installation was charged once, at its price, with exact shares and the events it has."""
    assert max(accounts["charges"].values()) == 1
    periods = defaultdict(list)
    for _, installation_id, start, end, amount in sorted(accounts["charges"]):
        periods[installation_id].append((start, end, amount))
    by_owner = defaultdict(int)
    for _, owner_id, *_ in accounts["installations"]:
        by_owner[owner_id] += 1
    for charged in periods.values():
        assert all(end - start == timedelta(days=30) for start, end, _ in charged)
        assert all(one[1] == two[0] for one, two in pairwise(charged))
    counted = Counter((charged[0][2], len(charged)) for charged in periods.values())
    rich = OWNERS - len(POOR)
    assert counted == {
        (PRICES["Monthly"], CHARGES_OF_APP["Monthly"]): rich + len(SAVED),
        (PRICES["Trial"], CHARGES_OF_APP["Trial"]): rich,
        (PRICES["Monthly"], 2): len(POOR) - len(SAVED),
    }
    amounts = [charge[4] for charge in accounts["charges"]]
    earned = sum(leg[4] for leg in accounts["legs"].elements() if leg[2:4] == ("earnings", ids["developer"]))
    assert earned == sum((amount * SHARE_PERCENT + 50) // 100 for amount in amounts)
    assert sum(entry[2] for entry in accounts["entries"].elements() if entry[1] == "subscription") == -sum(amounts)
    statuses = Counter(row[2] for row in accounts["installations"])
    assert statuses == {"active": 2 * rich + len(SAVED), "lapsed": len(POOR) - len(SAVED)}
    check_announcements(accounts)


def check_announcements(accounts):
    """Features were granted once, and revoked once where nothing was paid; each failure was announced once."""
    changes = Counter(
        json.loads(data)["action"] for _, name, data in accounts["events"].elements() if name == "entitlement.changed"
    )
    rich = OWNERS - len(POOR)
    assert changes == {"granted": 2 * rich + len(POOR), "revoked": len(POOR) - len(SAVED)}
    failures = [row for row in accounts["messages"].elements() if row[1] == PAYMENT_FAILED]
    assert len({row[0] for row in failures}) == len(failures) == len(POOR)
