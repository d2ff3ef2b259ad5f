"""Fields of dishes, as requests and files write them."""

import pytest
from comanda_food.schemas.food_facts import FoodFields
from pydantic import ValidationError


def test_what_says_nothing_is_absent():
    assert FoodFields(allergens=[], choice_facts=[], alcohol_percent=None).model_dump(mode="json") == {}


def test_codes_are_read_from_a_cell():
    found = FoodFields.model_validate({"allergens": "Milk, brazil nuts; milk", "additives": ""})

    assert found.model_dump(mode="json") == {"allergens": ["milk", "brazil_nuts"]}


@pytest.mark.parametrize(
    "fields",
    [
        {"allergens": ["plutonium"]},
        {"may_contain": "milk, plutonium"},
        {"spiciness": 4},
        {"alcohol_percent": 101},
        {"choice_facts": [{"allergens": ["milk"]}]},
        {"choice_facts": [{"name": "Ham"}, {"name": "HAM"}]},
        {"choice_facts": [{"name": str(number)} for number in range(401)]},
    ],
)
def test_invalid_facts_are_refused(fields):
    with pytest.raises(ValidationError):
        FoodFields.model_validate(fields)
