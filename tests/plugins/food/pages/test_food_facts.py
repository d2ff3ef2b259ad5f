"""What guests and staff read about a dish."""

from comanda.web import use_language
from comanda_food.pages.food_facts import list_badges, list_choice_facts, list_flags, list_line_facts


def test_badges_name_diets_allergens_and_additives():
    values = {
        "is_kosher": True, "spiciness": 2, "allergens": ["milk", "nuts", "almonds", "wheat"], "may_contain": ["eggs"],
        "additives": ["colour", "sulphured"], "alcohol_percent": 4.5,
    }  # fmt: skip

    assert list_badges(values) == [
        "Kosher", "Spicy", "Contains: Wheat, Milk, Almonds", "May contain: Eggs", "with colour, sulphured",
        "4.5 % alcohol",
    ]  # fmt: skip
    assert list_badges({"name": "Bread", "is_vegan": True}) == ()


async def test_badges_are_in_the_language_of_the_guest(client):
    with use_language("de"):
        assert list_badges({"allergens": ["wheat", "milk"]}) == ["Enthält: Weizen, Milch"]


def test_choices_say_what_they_add():
    facts = [{"name": "Burrata", "allergens": ["milk"], "additives": ["colour"]}, {"name": "Rocket"}]

    assert list_choice_facts({"choice_facts": facts}) == ["Burrata: Contains: Milk · with colour"]
    assert list_choice_facts({"has_allergen_information": True}) == [
        "Contains none of the 14 allergens that must be named."
    ]


def test_lines_say_what_their_choices_add():
    values = {"allergens": ["milk"], "choice_facts": [{"name": "Noodles", "allergens": ["wheat"]}]}

    assert list_line_facts(values, None, ["Noodles"]) == {"allergens": ["wheat", "milk"]}
    assert list_line_facts({"is_vegan": True}, None, ["Noodles"]) == {}


def test_only_complete_facts_say_what_is_not_in_a_dish():
    assert "without_peanuts" in list_flags({"has_allergen_information": True, "allergens": ["milk"]})
    assert list_flags({"allergens": ["milk"]}) == []
    flags = list_flags({"has_allergen_information": True, "allergens": ["almonds"], "may_contain": ["peanuts"]})
    assert not {"without_nuts", "without_peanuts"} & set(flags)


def test_what_must_be_chosen_counts_for_flags():
    group = {"is_required": True, "extras": [{"name": "Prawns"}, {"name": "Tofu"}]}
    values = {
        "has_allergen_information": True, "extra_groups": [group],
        "choice_facts": [{"name": "Prawns", "allergens": ["crustaceans"]}, {"name": "Tofu", "allergens": ["soya"]}],
    }  # fmt: skip

    assert {"without_crustaceans", "without_soya"} <= set(list_flags(values))
    group["extras"].pop()
    assert "without_crustaceans" not in list_flags(values)
    group["extras"] = [{"name": "Anything"}]
    assert "without_soya" not in list_flags(values)


def test_every_variation_with_an_allergen_counts_for_flags():
    values = {
        "has_allergen_information": True, "variations": [{"name": "Small"}, {"name": "Large"}],
        "choice_facts": [{"name": "Small", "allergens": ["fish"]}],
    }  # fmt: skip

    assert "without_fish" in list_flags(values)
    values["choice_facts"].append({"name": "Large", "may_contain": ["fish"]})
    assert "without_fish" not in list_flags(values)
