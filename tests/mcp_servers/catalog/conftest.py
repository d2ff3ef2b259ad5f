"""A listed store, and an agent of the public catalog."""

import pytest


async def search_all_pages(public, tool, arguments):
    """Return the stores of all pages, because other tests leave stores behind."""
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
async def lisbon(new_store):
    """A listed store in Lisbon that sells a soup and a cake."""
    store = await new_store(title="Tasca do Zé Ørsted")
    settings = {"address": "Rua 1, 1200-310 Lisboa", "country": "PT", "phone": "+351 21 555 0140"}
    await store.send("PUT", "/settings", settings)
    soups = await store.category("Caldos quentes")
    await store.item("Açorda verdinha", 6.5, category_id=soups, is_vegan=True, description="Bread & coriander.")
    await store.item("Bolo-rei mágico", 4, variations=[{"name": "Slice", "price": 1.2}], is_popular=True)
    return store
