"""The set menu of the demo restaurant. Prices are in euro; those of choices are surcharges."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import Item

NAME: Final = "Lunch menu"
PRICE: Final = 17.9
PHOTOS: Final = ("pumpkin-ravioli", "white-bean-soup", "house-red")
# The choices of each step, some of them in a variation.
STEPS: Final[Mapping[str, Mapping[tuple[str, str | None], float]]] = {
    "Starter": {
        ("White bean soup", None): 0,
        ("Tomato bruschetta", None): 0,
        ("Burrata with figs", None): 3.5,
    },
    "Main course": {
        ("Pumpkin ravioli", None): 0,
        ("Stuffed peppers", None): 0,
        ("Sausages and lentils", None): 1.5,
    },
    "Drink": {
        ("Still or sparkling water", "Still"): 0,
        ("Still or sparkling water", "Sparkling"): 0,
        ("House white", "Glass, 15 cl"): 1.5,
        ("House red", "Glass, 15 cl"): 1.5,
    },
}


def create_lunch_menu(items: Mapping[str, Item]) -> dict[str, Any]:
    """Return the body of the set menu, made of items of the menu by name."""
    return {
        "name": NAME,
        "price": PRICE,
        "description": "A starter, a main course and a drink, as you like them.",
        "is_popular": True,
        "photos": PHOTOS,
        "extra_groups": [
            {
                "name": step,
                "is_required": True,
                "min": 1,
                "max": 1,
                "extras": [_to_extra(items[name], size, price) for (name, size), price in choices.items()],
            }
            for step, choices in STEPS.items()
        ],
    }


def _to_extra(item: Item, size: str | None, price: float) -> dict[str, Any]:
    variant = next((each for each in item.variants if each.name == size), None)
    return {
        "name": item.name if size is None else f"{item.name}, {size}",
        "price": price,
        "item_id": item.id,
        "variation": None if variant is None else variant.id,
    }
