"""A guest's agent and a menu in the test's store."""

import pytest


@pytest.fixture
async def guest(agents, owner, store):
    """Return the agent of a guest of the store."""
    return await agents.storefront(owner, store.id)


@pytest.fixture
async def menu(store):
    """A small menu; the items by name."""
    soups, mains = await store.category("Soups"), await store.category("Mains", position=1)
    rows = [
        ("Tomato soup", 5, soups, {"is_vegan": True, "description": "Hot, with basil."}),
        ("Crème brûlée", 6.5, mains, {}),
        ("Soupe à l'oignon", 8, soups, {"description": "Onions, cheese."}),
        ("Tomato tart", 9, mains, {"variations": [{"name": "Half", "price": 4.5}]}),
        ("Basil pasta", 11, mains, {"is_vegan": True, "is_halal": True}),
        ("Fish", 14, mains, {"is_sold_out": True}),
    ]
    made = [await store.item(name, price, category_id=category, **more) for name, price, category, more in rows]
    return {item["name"]: item for item in made}
