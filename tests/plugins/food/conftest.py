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


LASAGNE = {
    "portion_g": 350, "nutrition_basis": "100g", "energy_kcal": 150, "fat_g": 7.5, "saturates_g": 3.25,
    "carbohydrate_g": 12, "sugars_g": 0, "fibre_g": 1.2, "protein_g": 8, "salt_g": 0.9,
}  # fmt: skip


@pytest.fixture
def create_lasagne(store):
    """Create a dish with nutrition facts, other ones if they are given, and return it."""

    async def create_lasagne(**fields):
        return await store.item("Lasagne", 11, **{**LASAGNE, **fields})

    return create_lasagne
