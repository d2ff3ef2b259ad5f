import pytest
from comanda.testing.stores import TestStore


@pytest.fixture
def store(client, owner, store_id):
    return TestStore(client, owner, store_id)
