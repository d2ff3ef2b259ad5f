"""A shop for car parts."""

import pytest
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql

GOLF = {"make": "Volkswagen", "model": "Golf", "year_from": 2012, "year_to": 2019}
POLO = {"make": "Volkswagen", "model": "Polo", "year_from": 2017}
PANDA = {"make": "Fiat", "model": "Panda", "year_from": 2003, "year_to": 2012, "engine": "1.2", "trim": "4x4"}
SAAB = {"make": "Saab", "model": "900", "year_from": 1978, "year_to": 1978, "note": "Until chassis 78012345"}


async def count_rows(table, store):
    return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", store.owner.id)


@pytest.fixture
async def garage(client, owner):
    return TestStore(client, owner, await owner.store("carparts"))


@pytest.fixture
def found():
    """Return a search for a store's fitments, each as ``(make, model, year_from, year_to)``."""

    async def search(store, query=""):
        page = await store.get(f"/fitments{query}")
        return [tuple(row[name] for name in ("make", "model", "year_from", "year_to")) for row in page["data"]]

    return search
