"""A listed store, and an agent of the public catalog."""

import pytest
from comanda.platform.db import sql


async def search_all_pages(public, tool, arguments):
    """Return the stores of all pages."""
    found, page, has_more = [], 1, True
    while has_more:
        result = await public.call(tool, {**arguments, "page": page})
        found += result["stores"]
        page, has_more = page + 1, result["has_more"]
    assert len(found) == len({store["id"] for store in found})
    return found


@pytest.fixture
def public(agents):
    return agents.public("/mcp/catalog")


@pytest.fixture
async def unlisted_others(app):
    """Unlist the stores that other tests left, which fill hundreds of pages, as long as the test runs."""
    rows = await sql.fetch("UPDATE core_store SET is_listed = false WHERE is_listed RETURNING id")
    yield
    await sql.execute("UPDATE core_store SET is_listed = true WHERE id = ANY($1)", [row["id"] for row in rows])


@pytest.fixture
async def lisbon(unlisted_others, new_store):
    """A listed store in Lisbon that sells a soup and a cake."""
    store = await new_store(title="Tasca do Zé Ørsted")
    settings = {"address": "Rua 1, 1200-310 Lisboa", "country": "PT", "phone": "+351 21 555 0140"}
    await store.send("PUT", "/settings", settings)
    soups = await store.category("Caldos quentes")
    await store.item("Açorda verdinha", 6.5, category_id=soups, is_vegan=True, description="Bread & coriander.")
    await store.item("Bolo-rei mágico", 4, variations=[{"name": "Slice", "price": 1.2}], is_popular=True)
    return store
