"""The item capabilities of stores that sell food."""

from typing import Final

from comanda.contracts import ItemCapability
from comanda.web import N_

from comanda_food.pages.food_facts import FLAGS, WORDS, list_badges, list_choice_facts, list_flags, list_line_facts
from comanda_food.pages.nutrition_facts import describe_nutrition, list_nutrients, list_portion
from comanda_food.records import OVERRIDDEN_BY
from comanda_food.schemas.food_facts import FoodFields
from comanda_food.schemas.nutrition import NutritionFields

FOOD_INFORMATION: Final = ItemCapability(
    "food_information",
    N_("Allergens and diets"),
    FoodFields,
    facts=list_choice_facts,
    badges=list_badges,
    flags=FLAGS,
    list_flags=list_flags,
    line_facts=list_line_facts,
    words=WORDS,
    actors=frozenset({OVERRIDDEN_BY}),
)
NUTRITION: Final = ItemCapability(
    "nutrition",
    N_("Nutrition facts"),
    NutritionFields,
    facts=list_portion,
    table=list_nutrients,
    schema_org=describe_nutrition,
    is_folded=True,
)
