"""What dishes contain: allergens, diets, additives, alcohol, spiciness and nutrition facts of items."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ItemCapability, OrderParticipant, PersonalDataEraser

from comanda_food.erasure import ERASER
from comanda_food.item_capabilities import FOOD_INFORMATION, NUTRITION
from comanda_food.participant import RESTRICTIONS


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [FOOD_INFORMATION, NUTRITION]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [RESTRICTIONS]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="food",
            title="Allergens and diets",
            summary="What dishes contain, by themselves and with their choices, and where guests and staff read it.",
            package="comanda_food",
            path="docs/food.md",
        )
    ]
