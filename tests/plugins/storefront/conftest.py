"""A storefront's own requests, and a guest's agent, each with a token of the store."""

from datetime import UTC, datetime

import pytest
from comanda.accounts import administration
from comanda.accounts import services as accounts
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore
from comanda_storefront.kinds import SCOPES, STOREFRONT

# A Monday.
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


class Front:
    """A site or app with a storefront token."""

    def __init__(self, client, secret):
        self.client = client
        self.auth = {"X-Storefront-Token": secret}

    async def get(self, path, **headers):
        return await self.client.get(f"/api/v1/storefront{path}", headers={**self.auth, **headers})

    async def post(self, *lines, key=None, **fields):
        """Place an order, for takeaway unless a type is given; return the status, the document and the headers."""
        headers = self.auth if key is None else {**self.auth, "Idempotency-Key": key}
        body = {"type": "takeaway", "items": list(lines), **fields}
        response = await self.client.post("/api/v1/storefront/orders", headers=headers, json=body)
        return response.status_code, await response.get_json(), response.headers

    async def order(self, *lines, **options):
        """Place an order that must be taken, and return the answer."""
        status, document, _ = await self.post(*lines, **options)
        assert status == 201, document
        return document

    async def refused(self, *lines, **options):
        """Place an order that must be refused, and return the envelope."""
        status, document, _ = await self.post(*lines, **options)
        assert status >= 400, document
        return document


async def new_token(owner, store_id, *scopes):
    issued = await accounts.issue_token(STOREFRONT, owner.id, scopes or SCOPES, name="test", store_id=store_id)
    return issued.secret


@pytest.fixture
def front_of(client):
    """Make the storefront of an owner's store, with all scopes unless some are named."""

    async def make(owner, store_id, *scopes):
        return Front(client, await new_token(owner, store_id, *scopes))

    return make


@pytest.fixture
async def front(front_of, owner, store):
    """Give the storefront of the test's store."""
    return await front_of(owner, store.id)


@pytest.fixture
def guest_of(mcp):
    """Make the agent of a guest of an owner's store."""

    async def make(owner, store_id, *scopes):
        return mcp("/mcp/storefront", {"X-Storefront-Token": await new_token(owner, store_id, *scopes)})

    return make


@pytest.fixture
async def guest(guest_of, owner, store):
    """Give the agent of a guest of the test's store."""
    return await guest_of(owner, store.id)


@pytest.fixture
def caller(owner, store):
    """Give the caller that services take, as a storefront token makes it."""
    return Caller("storefront", 0, owner.id, store.id, None, frozenset(SCOPES), None)


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
async def other_store(client, other_owner):
    """Give another owner's restaurant."""
    return TestStore(client, other_owner, await other_owner.store())


@pytest.fixture
async def closed(store, clock):
    """Open the store on Mondays from 18 to 22, and make it Monday noon."""
    clock.set(NOON)
    await store.send("PUT", "/settings", {"hours": {**WEEK, "monday": [{"open": "18:00", "close": "22:00"}]}})


@pytest.fixture
def count_orders(owner):
    """Count the owner's orders."""

    async def count():
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE owner_id = $1", owner.id)

    return count


@pytest.fixture
def suspend():
    """Suspend an owner."""

    async def now(owner):
        await administration.set_suspended(owner.email, is_suspended=True)

    return now
