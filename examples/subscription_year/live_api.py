"""A running server over HTTP, and the accounts of a year on it."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import aiohttp
from comanda.accounts import services as accounts
from comanda.devkit.testing import await_condition
from comanda.platform import runtime
from comanda.platform.queue import measure_queue
from comanda_reseller.services.resellers import account_administration
from comanda_wallet import api as wallets

from subscription_year.world import (
    Account,
    Document,
    World,
    get_funds_minor,
    is_late,
    is_paying_by_hand,
    list_all,
    parse_time,
)

POLL_SECONDS = 0.25
# How long a step waits while workers are killed.
HURRIED_SECONDS = 0.5
QUIET_POLLS = 12
# Those that become empty: what is due next in the queues of subscriptions and fees stays in them.
QUEUES = ("outbox", "event_lanes", "webhooks")


class LiveApi:
    """A server over HTTP. Only money from outside, which no route brings, is added to wallets by the service."""

    def __init__(self, http: aiohttp.ClientSession, url: str, *, is_patient: bool) -> None:
        self._http, self._url, self._is_patient = http, url, is_patient

    async def call(self, account: Account, method: str, path: str, body: Document = None) -> tuple[int, Document]:
        """Send a request; return the status and the document."""
        headers = {"Authorization": f"Bearer {account.token}"}
        async with self._http.request(method, f"{self._url}/api/v1{path}", json=body, headers=headers) as response:
            return response.status, await response.json()

    async def advance(self, days: int) -> None:
        """Move the test clock forward."""
        await self._advance(f"{days}d")

    async def _advance(self, by: str) -> None:
        async with self._http.post(f"{self._url}/api/v1/test-clock/advance", json={"by": by}) as response:
            response.raise_for_status()

    async def get_time(self) -> datetime:
        """Return the time of the test clock."""
        async with self._http.get(f"{self._url}/api/v1/test-clock") as response:
            return parse_time((await response.json())["now"])

    async def settle(self, world: World) -> None:
        """Wait until no subscription is late; while workers are killed, only for a moment, and leave the rest late."""
        if not self._is_patient:
            await asyncio.sleep(HURRIED_SECONDS)
            return
        await self.wait_for_renewals(world)

    async def wait_for_renewals(self, world: World) -> None:
        """Wait until no subscription is late."""
        now = await self.get_time()

        async def are_renewed() -> bool:
            return not any(
                is_late(each, now) for each in await list_all(self, world.reseller, "/reseller/subscriptions")
            )

        await await_condition(are_renewed, "all subscriptions to be renewed")

    async def drain(self, world: World) -> None:
        """Wait until events and webhooks were delivered, and no more webhooks or invoices come."""
        if not self._is_patient:
            # The leases that killed workers hold end by the test clock.
            await self._advance("2m")
            await self.wait_for_renewals(world)
        path, before, quiet = f"/webhook-endpoints/{world.endpoint_id}/deliveries", (-1, -1), 0
        while quiet < QUIET_POLLS:
            await asyncio.sleep(POLL_SECONDS)
            _, everything = await self.call(world.reseller, "GET", f"{path}?per_page=1")
            _, fees = await self.call(world.reseller, "GET", "/reseller/invoices?per_page=1")
            found = everything["total"], fees["total"]
            queues = [queue for queue in runtime.registry().queues if queue.name in QUEUES]
            waiting = [(await measure_queue(queue.table)).waiting for queue in queues]
            quiet = quiet + 1 if not any(waiting) and found == before else 0
            before = found

    async def fill_wallets(self, accounts: Sequence[Account]) -> None:
        """Add money to wallets."""
        for account in accounts:
            await wallets.top_up(account.id, 500_000, f"filled:{account.id}")


async def create_account(email: str) -> Account:
    """Create an owner with a token for everything."""
    owner = await accounts.create_owner(email, email.partition("@")[0])
    kind = runtime.registry().caller_kinds["owner"]
    return Account(owner.id, (await accounts.issue_owner_token(kind, owner.id, ["*"], name="year")).secret)


async def create_world(api: LiveApi, count: int, hook_url: str) -> World:
    """Create a reseller, its customers with money in their wallets, and an endpoint for the events."""
    reseller = await create_account("reseller@year.example")
    await account_administration.create_reseller(reseller.id)
    await wallets.top_up(reseller.id, 100_000_000, "year")
    customers = []
    for number in range(count):
        email = f"customer-{number}@year.example"
        customers.append(customer := await create_account(email))
        added = await account_administration.add_customer("reseller@year.example", email)
        added.collection_method = "manual" if is_paying_by_hand(number) else "wallet"
        await added.save(update_fields=["collection_method"])
        await wallets.top_up(customer.id, get_funds_minor(number), "year")
    world = World(reseller, customers)
    body = {"url": hook_url, "events": ["subscription.*"]}
    status, endpoint = await api.call(reseller, "POST", "/webhook-endpoints", body)
    if status != 201:
        raise RuntimeError(endpoint)
    world.endpoint_id = endpoint["id"]
    return world
