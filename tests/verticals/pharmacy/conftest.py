"""A pharmacy."""

import pytest
from comanda.devkit.testing import TestStore


@pytest.fixture
async def pharmacy(client, owner):
    return TestStore(client, owner, await owner.store("pharmacy"))
