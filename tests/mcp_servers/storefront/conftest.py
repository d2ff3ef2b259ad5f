"""A guest's agent, in the test's store."""

import pytest


@pytest.fixture
async def guest(agents, owner, store):
    """Give the agent of a guest of the store."""
    return await agents.storefront(owner, store.id)
