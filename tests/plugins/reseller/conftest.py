"""A reseller with plans and customers, used over the API."""

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from comanda.devkit.testing import Reply, TestOwner, create_test_owner, process_queue
from comanda.platform.db import sql
from comanda_reseller.services.resellers import account_administration
from comanda_reseller.services.subscriptions.renewals import QUEUE
from comanda_wallet import api as wallet

JANUARY = datetime(2030, 1, 31, 9, 0, tzinfo=UTC)
API = "/api/v1"


class TestReseller:
    """A reseller account, used over HTTP."""

    __test__ = False

    def __init__(self, client, owner: TestOwner):
        self.client = client
        self.owner = owner
        self._plans = 0

    async def send(self, method, path, body=None, headers=None):
        options = {} if body is None else {"json": body}
        response = await self.client.open(f"{API}{path}", method=method, headers=headers or self.owner.auth, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))

    async def get(self, path):
        reply = await self.send("GET", f"/reseller{path}")
        assert reply.status == 200, reply
        return reply.document

    async def post(self, path, body=None):
        reply = await self.send("POST", f"/reseller{path}", body)
        assert reply.status in (200, 201), reply
        return reply.document

    async def plan(self, code=None, **fields):
        self._plans += 1
        body = {"code": code or f"plan-{self._plans}", "name": f"Plan {self._plans}", "price": 30, **fields}
        return await self.post("/plans", body)

    async def customer(self, funds_minor=100_000, **fields):
        """Make another owner a customer, with money in its wallet."""
        owner = await create_test_owner()
        await account_administration.add_customer(self.owner.email, owner.email)
        if funds_minor:
            await wallet.top_up(owner.id, funds_minor, "test")
        if fields:
            reply = await self.send("PUT", f"/reseller/customers/{owner.id}", fields)
            assert reply.status == 200, reply
        return owner

    async def subscribe(self, customer, plan, **fields):
        return await self.post("/subscriptions", {"customer_id": customer.id, "plan_code": plan["code"], **fields})

    async def subscription(self, found):
        return await self.get(f"/subscriptions/{found['id']}")

    async def actions(self, found):
        """Return the changes of a subscription, as actions with their statuses."""
        return [(change["action"], change["status"]) for change in (await self.subscription(found))["history"]]


@pytest.fixture
async def nothing_due(app):
    """Clear what is due of what other tests left, which steps of the queues would take as well."""
    for table in ("reseller_subscription", "reseller_account"):
        await sql.execute(f"UPDATE {table} SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL")


@pytest.fixture
async def reseller(client, owner, clock, nothing_due):
    clock.set(JANUARY)
    await account_administration.create_reseller(owner.id)
    return TestReseller(client, owner)


@pytest.fixture
def advance(clock):
    """Return a function that moves the clock and takes the steps that are due."""

    async def move(**delta):
        clock.advance(**delta)
        while await process_queue(QUEUE):
            pass

    return move


@pytest.fixture
def list_events():
    """Return a function that returns the subscription events of an owner so far, as names with their data."""

    async def find(owner_id):
        rows = await sql.fetch(
            "SELECT name, data FROM core_outbox WHERE owner_id = $1 AND name LIKE 'subscription.%' ORDER BY id",
            owner_id,
        )
        return [(row["name"].partition(".")[2], orjson.loads(row["data"])) for row in rows]

    return find


def days(count):
    return timedelta(days=count)
