"""A pharmacy."""

import pytest
from comanda.testing.stores import TestStore


@pytest.fixture
async def pharmacy(client, owner):
    return TestStore(client, owner, await owner.store("pharmacy"))
