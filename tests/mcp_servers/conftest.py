"""Agents of every server, with and without tokens."""

import pytest
from comanda.devkit.testing import TestStore
from sweep import tally
from tool_calls import Agents

__all__ = ["tally"]


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
