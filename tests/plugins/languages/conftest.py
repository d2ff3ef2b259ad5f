"""A bistro whose menu has a category, an item with a description, a size and an extra."""

import pytest


@pytest.fixture
async def bistro(store):
    """A published restaurant; ``translate`` saves texts in a language, German if no other is given."""
    soups = await store.category("Soups")
    store.soup = await store.item(
        "Tomato soup", 6, category_id=soups, description="With basil", variations=[{"name": "Large", "price": 8}],
        extra_groups=[{"name": "Toppings", "extras": [{"name": "Cream", "price": 1}]}],
    )  # fmt: skip

    async def translate(texts, language="de", **fields):
        given = [{"source": source, "translation": text, **fields} for source, text in texts.items()]
        return await store.send("PUT", f"/menu/languages/{language}", {"texts": given})

    async def read_menu(language="de"):
        return (await store.send_to(f"/api/v1/menu/{store.id}/languages/{language}")).document

    async def list_texts(query="", language="de"):
        return (await store.get(f"/menu/languages/{language}{query}"))["data"]

    store.translate, store.read_menu, store.list_texts = translate, read_menu, list_texts
    return store
