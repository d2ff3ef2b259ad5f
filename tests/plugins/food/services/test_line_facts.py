"""What an order's line contains."""

import pytest
from comanda_food.services.line_facts import combine_facts, find_matches

DISH = {
    "has_allergen_information": True,
    "allergens": ["milk", "cashews"],
    "may_contain": ["peanuts", "sulphites"],
    "is_vegetarian": True,
    "is_gluten_free": True,
    "choice_facts": [
        {"name": "With prawns", "allergens": ["crustaceans"], "diets": ["vegetarian", "gluten_free"]},
        {"name": "Spaghetti", "allergens": ["wheat"], "diets": ["vegan"]},
        {"name": "Wine sauce", "allergens": ["sulphites"], "additives": ["sulphured"], "alcohol_percent": 4.5},
    ],
}
CHOICES = ("Small", "With prawns", "Spaghetti", "Surprise", "Wine sauce")


def combine(variation=None, *extras, choices=CHOICES, **values):
    return combine_facts({**DISH, **values}, "Pesto", choices, variation, extras)


def test_a_variation_without_facts_is_like_its_item():
    facts = combine("Small")

    assert (facts.allergens, facts.may_contain) == ({"milk", "cashews"}, {"peanuts", "sulphites"})
    assert facts.diets == {"vegetarian", "gluten_free"}
    assert facts.undeclared == ()


def test_choices_add_what_they_contain():
    facts = combine("Small", "spaghetti", "Wine sauce")

    assert facts.allergens == {"milk", "cashews", "wheat", "sulphites"}
    # What is in it for certain is no trace any more.
    assert facts.may_contain == {"peanuts"}
    assert (facts.additives, facts.alcohol) == ({"sulphured"}, 4.5)


def test_a_line_is_suitable_for_diets_of_all_of_its_parts():
    assert combine("Small", "Spaghetti").diets == {"vegetarian"}
    assert combine("Small", "Spaghetti", "Wine sauce").diets == frozenset()


def test_what_contains_seafood_is_never_vegetarian():
    assert combine("With prawns").diets == {"gluten_free"}
    assert combine(allergens=["milk"], is_vegan=True).diets == {"vegetarian", "gluten_free", "lactose_free"}


def test_an_extra_without_facts_is_not_declared():
    facts = combine("Small", "Surprise")

    assert (facts.undeclared, facts.diets) == (("Surprise",), frozenset())


def test_an_item_without_complete_facts_is_not_declared():
    assert combine(has_allergen_information=False).undeclared == ("Pesto",)


def test_a_variation_may_have_been_renamed():
    facts = combine("With shrimps", choices=("Small", "With shrimps", "Spaghetti", "Wine sauce"))

    assert facts.undeclared == ("With shrimps",)


@pytest.mark.parametrize(
    ("avoided", "contained", "found"),
    [
        (["nuts"], ["almonds", "milk"], ["almonds"]),
        (["almonds"], ["nuts"], ["nuts"]),
        (["almonds"], ["hazelnuts"], []),
        (["gluten"], ["oats"], ["oats"]),
        (["peanuts"], ["nuts"], []),
    ],
)
def test_groups_match_what_is_named_in_them(avoided, contained, found):
    assert find_matches(avoided, contained) == found
