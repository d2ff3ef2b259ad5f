"""Dishes, as menus that come with the vertical are written down."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """Extras chosen together: at least ``min``, at most ``max``, the first ``free`` at no charge."""

    name: str
    extras: tuple[tuple[str, float], ...]
    min: int = 0
    max: int | None = None
    free: int = 0
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Dish:
    """One item of the menu; ``sizes`` are its variations, each with a price that replaces ``price``."""

    name: str
    price: float
    calories: int | None
    description: str
    is_vegan: bool = False
    is_halal: bool = False
    is_popular: bool = False
    is_sold_out: bool = False
    tax_rate: float | None = None
    sizes: tuple[tuple[str, float], ...] = ()
    choices: tuple[Choice, ...] = ()


def item_fields(dish: Dish) -> dict[str, Any]:
    """Make the fields of a dish as the API takes them, without its category."""
    return {
        "name": dish.name,
        "price": dish.price,
        "description": dish.description,
        "calories": dish.calories,
        "is_vegan": dish.is_vegan,
        "is_halal": dish.is_halal,
        "is_popular": dish.is_popular,
        "is_sold_out": dish.is_sold_out,
        "tax_rate": dish.tax_rate,
        "variations": [{"name": size, "price": price} for size, price in dish.sizes],
        "extra_groups": [_group(choice) for choice in dish.choices],
    }


def _group(choice: Choice) -> dict[str, Any]:
    return {
        "name": choice.name,
        "is_required": choice.min > 0,
        "min": choice.min,
        "max": choice.max,
        "free_count": choice.free,
        "allows_repeats": choice.repeats,
        "extras": [{"name": name, "price": price} for name, price in choice.extras],
    }
