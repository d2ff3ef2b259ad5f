"""A dish whose choices change what it contains."""

import pytest

PESTO = {
    "has_allergen_information": True,
    "allergens": ["milk", "cashews"],
    "may_contain": ["peanuts"],
    "is_vegetarian": True,
    "is_gluten_free": True,
    "variations": [{"name": "Small", "price": 8}, {"name": "With prawns", "price": 12}],
    "extra_groups": [
        {
            "name": "Pasta",
            "min": 1,
            "max": 1,
            "extras": [{"name": "Spaghetti"}, {"name": "Rice noodles"}, {"name": "Surprise"}],
        },
        {"name": "On top", "extras": [{"name": "Wine sauce"}]},
    ],
    "choice_facts": [
        {"name": "With prawns", "allergens": ["crustaceans"], "diets": ["gluten_free"]},
        {"name": "Spaghetti", "allergens": ["wheat"], "diets": ["vegetarian"]},
        {"name": "Rice noodles", "diets": ["vegan", "gluten_free"]},
        {"name": "Wine sauce", "allergens": ["sulphites"], "additives": ["sulphured"], "alcohol_percent": 4.5},
    ],
}


@pytest.fixture
def create_pesto(store):
    """Create the dish, with other fields if they are given, and return it."""

    async def create_pesto(**fields):
        return await store.item("Pesto", 8, **{**PESTO, **fields})

    return create_pesto
