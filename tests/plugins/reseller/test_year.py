"""A year of subscriptions: invoices, ledger, events and entitlements agree at its end."""

import importlib
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from comanda.basics import clock as clock_module
from comanda.devkit.testing import create_test_owner, process_queue
from comanda_reseller.services.resellers import account_administration, fees
from comanda_reseller.services.subscriptions import renewals
from comanda_wallet import api as wallet

START = datetime(2030, 1, 31, 10, 0, tzinfo=UTC)
# The suite runs a fast version; ``COMANDA_YEAR_CUSTOMERS=100`` runs the same at length.
CUSTOMERS = int(os.environ.get("COMANDA_YEAR_CUSTOMERS", "20"))


# The program is no package of the workspace; its folder is where it is run.
sys.path.append(str(Path(__file__).parents[3] / "examples"))
year_world, customers, checks = [
    importlib.import_module(f"subscription_year.{name}") for name in ("world", "customers", "checks")
]


class LocalApi:
    """The application of this process, with a clock and queues that the test runs."""

    def __init__(self, client, clock, dispatch):
        self.client, self.clock, self.dispatch = client, clock, dispatch

    async def call(self, account, method, path, body=None):
        options = {} if body is None else {"json": body}
        headers = {"Authorization": f"Bearer {account.token}"}
        reply = await self.client.open(f"/api/v1{path}", method=method, headers=headers, **options)
        return reply.status_code, await reply.get_json()

    async def advance(self, days):
        self.clock.advance(days=days)

    async def settle(self, world):
        while await process_queue(renewals.QUEUE) + await process_queue(fees.QUEUE):
            pass
        await self.dispatch()

    async def fill_wallets(self, accounts):
        for account in accounts:
            await wallet.top_up(account.id, 500_000, f"filled:{account.id}")


async def create_world(api, owner, count):
    await account_administration.create_reseller(owner.id)
    await wallet.top_up(owner.id, 100_000_000, "test")
    made = []
    for number in range(count):
        customer = await create_test_owner()
        added = await account_administration.add_customer(owner.email, customer.email)
        added.collection_method = "manual" if year_world.is_paying_by_hand(number) else "wallet"
        await added.save(update_fields=["collection_method"])
        await wallet.top_up(customer.id, year_world.get_funds_minor(number), "test")
        made.append(year_world.Account(customer.id, customer.token))
    world = year_world.World(year_world.Account(owner.id, owner.token), made)
    body = {"url": "http://127.0.0.1:9/hooks", "events": ["subscription.*"]}
    status, endpoint = await api.call(world.reseller, "POST", "/webhook-endpoints", body)
    assert status == 201, endpoint
    world.endpoint_id = endpoint["id"]
    return world


async def test_year_agrees(client, owner, clock, dispatch, nothing_due, capsys):
    clock.set(START)
    api = LocalApi(client, clock, dispatch)
    world = await create_world(api, owner, CUSTOMERS)
    began = time.monotonic()

    await customers.run_year(api, world)
    seconds = time.monotonic() - began
    findings = await checks.check_year(api, world, clock_module.now())

    with capsys.disabled():
        # The figures of the year are worth reading in every run.
        print(f"\n{CUSTOMERS} subscriptions, {year_world.DAYS} days in {seconds:.1f} s:", findings.counts)  # noqa: T201
    assert findings.problems == []
    assert set(findings.counts["subscriptions"]) >= {"active", "expired"}
