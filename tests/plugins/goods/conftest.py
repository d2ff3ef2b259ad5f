"""A shop with brands, and a shop whose items have a last day of sale."""

import pytest
from comanda.devkit.testing import TestStore


@pytest.fixture
async def shop(client, owner):
    return TestStore(client, owner, await owner.store("retail"))


@pytest.fixture
async def perfumery(client, owner):
    """Return a shop in Lisbon, where midnight is at 00:00 UTC in winter and at 23:00 UTC in summer."""
    return TestStore(client, owner, await owner.store("cosmetic", timezone="Europe/Lisbon"))


@pytest.fixture
def list_brands():
    """Return a store's brands as ``(name, items_count)``."""

    async def of(store):
        return [(brand["name"], brand["items_count"]) for brand in (await store.get("/brands"))["data"]]

    return of


@pytest.fixture
def find_brand():
    async def find_brand(store, name):
        return next(brand for brand in (await store.get("/brands"))["data"] if brand["name"] == name)

    return find_brand
