"""Agents of every server, with tokens of a store's or of nobody's."""

import pytest
from comanda import clock
from comanda import runtime as runtime_module
from comanda.accounts import services as accounts
from comanda.devkit.testing.mcp import McpClient
from comanda.devkit.testing.stores import TestStore
from comanda_customers.models import Customer


class Agents:
    """Makes agents."""

    def __init__(self, client):
        self.client = client

    def admin(self, headers):
        """Make an owner's agent from the header of its token."""
        return McpClient(self.client, "/mcp", headers)

    async def storefront(self, owner, store_id, *scopes):
        """Make an agent of a store's guest."""
        scopes = scopes or ("agent", "menu:read", "order:write")
        token = await self._token("storefront", owner, scopes, store_id=store_id)
        return McpClient(self.client, "/mcp/storefront", {"X-Storefront-Token": token})

    async def customer(self, owner, store_id, customer_id=None):
        """Make an agent of a store's customer, of a new one if none is named."""
        if customer_id is None:
            customer_id = (await self.new_customer(owner, store_id)).id
        token = await self._token("customer", owner, ("customer",), store_id=store_id, subject_id=customer_id)
        return McpClient(self.client, "/mcp/customer", {"Authorization": f"Bearer {token}"})

    def public(self, path):
        """Make anybody's agent."""
        return McpClient(self.client, path)

    async def of_store(self, server, owner, store_id):
        """Make an agent that belongs to a store of an owner's, on a server that takes callers."""
        if server == "admin":
            return self.admin(owner.auth)
        return await getattr(self, server)(owner, store_id)

    async def new_customer(self, owner, store_id):
        """Make a customer of a store."""
        return await Customer.create(
            owner_id=owner.id, store_id=store_id, name="Ada", email="ada@example.com", created_at=clock.now()
        )

    async def _token(self, kind, owner, scopes, **whose):
        known = runtime_module.registry().caller_kinds[kind]
        return (await accounts.issue_token(known, owner.id, scopes, name="test", **whose)).secret


@pytest.fixture
def agents(client):
    """Make agents."""
    return Agents(client)


@pytest.fixture
def agent(agents, owner):
    """Give an agent of the owner's, who may do everything."""
    return agents.admin(owner.auth)


@pytest.fixture
def new_store(client, owner):
    """Open another store of the owner's."""

    async def make(store_type="restaurant", **options):
        return TestStore(client, owner, await owner.store(store_type, **options))

    return make
