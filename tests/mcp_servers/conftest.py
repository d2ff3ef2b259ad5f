"""Agents of every server, with and without tokens."""

import pytest
from comanda import clock
from comanda import runtime as runtime_module
from comanda.accounts import services as accounts
from comanda.devkit.testing.mcp import McpClient
from comanda.devkit.testing.stores import TestStore
from comanda_customers.models import Customer


class Agents:
    """A factory of agents."""

    def __init__(self, client):
        self.client = client

    def admin(self, headers):
        """Return an owner's agent with the header of its token."""
        return McpClient(self.client, "/mcp", headers)

    async def storefront(self, owner, store_id, *scopes):
        """Return an agent of a store's guest."""
        scopes = scopes or ("agent", "menu:read", "order:write")
        token = await self._token("storefront", owner, scopes, store_id=store_id)
        return McpClient(self.client, "/mcp/storefront", {"X-Storefront-Token": token})

    async def customer(self, owner, store_id, customer_id=None):
        """Return an agent of a store's customer, by default of a new one."""
        if customer_id is None:
            customer_id = (await self.new_customer(owner, store_id)).id
        token = await self._token("customer", owner, ("customer",), store_id=store_id, subject_id=customer_id)
        return McpClient(self.client, "/mcp/customer", {"Authorization": f"Bearer {token}"})

    def public(self, path):
        """Return an agent without a token."""
        return McpClient(self.client, path)

    async def of_store(self, server, owner, store_id):
        """Return an agent for an owner's store on a server that requires a token."""
        if server == "admin":
            return self.admin(owner.auth)
        return await getattr(self, server)(owner, store_id)

    async def new_customer(self, owner, store_id):
        """Create a customer of a store."""
        return await Customer.create(
            owner_id=owner.id, store_id=store_id, name="Ada", email="ada@example.com", created_at=clock.now()
        )

    async def _token(self, kind, owner, scopes, **whose):
        known = runtime_module.registry().caller_kinds[kind]
        return (await accounts.issue_token(known, owner.id, scopes, name="test", **whose)).secret


@pytest.fixture
def agents(client):
    """Return the factory of agents."""
    return Agents(client)


@pytest.fixture
def agent(agents, owner):
    """Return the owner's agent with all scopes."""
    return agents.admin(owner.auth)


@pytest.fixture
def new_store(client, owner):
    """Return a function that creates another store of the owner."""

    async def create(store_type="restaurant", **options):
        return TestStore(client, owner, await owner.store(store_type, **options))

    return create
