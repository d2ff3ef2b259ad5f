"""Dishes of the menus that come with the vertical."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DishExtraGroup:
    """A group of extras: at least ``min``, at most ``max``, the first ``free_count`` at no charge."""

    name: str
    extras: tuple[tuple[str, float], ...]
    min: int = 0
    max: int | None = None
    free_count: int = 0
    allows_repeats: bool = False


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
    extra_groups: tuple[DishExtraGroup, ...] = ()


def to_item_fields(dish: Dish) -> dict[str, Any]:
    """Return a dish as the body of the API that creates items, without its category."""
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
        "extra_groups": [_to_extra_group(group) for group in dish.extra_groups],
    }


def _to_extra_group(group: DishExtraGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "is_required": group.min > 0,
        "min": group.min,
        "max": group.max,
        "free_count": group.free_count,
        "allows_repeats": group.allows_repeats,
        "extras": [{"name": name, "price": price} for name, price in group.extras],
    }
