"""A shop for car parts."""

import pytest
from comanda.devkit.testing.stores import TestStore


@pytest.fixture
async def garage(client, owner):
    return TestStore(client, owner, await owner.store("carparts"))


@pytest.fixture
def found():
    """Search a store's fitments, and return each as ``(make, model, year_from, year_to)``."""

    async def search(store, query=""):
        page = await store.get(f"/fitments{query}")
        return [tuple(row[name] for name in ("make", "model", "year_from", "year_to")) for row in page["data"]]

    return search
