"""A pharmacy."""

import pytest
from comanda.devkit.testing.stores import TestStore


@pytest.fixture
async def pharmacy(client, owner):
    return TestStore(client, owner, await owner.store("pharmacy"))
