"""Items of the menus that come with the vertical."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StarterExtraGroup:
    """A group of extras: at least ``min``, at most ``max``, the first ``free_count`` at no charge."""

    name: str
    extras: tuple[tuple[str, float], ...]
    min: int = 0
    max: int | None = None
    free_count: int = 0
    allows_repeats: bool = False


@dataclass(frozen=True, slots=True)
class StarterItem:
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
    extra_groups: tuple[StarterExtraGroup, ...] = ()


def to_item_fields(item: StarterItem) -> dict[str, Any]:
    """Return an item as the body of the API that creates items, without its category."""
    return {
        "name": item.name,
        "price": item.price,
        "description": item.description,
        "calories": item.calories,
        "is_vegan": item.is_vegan,
        "is_halal": item.is_halal,
        "is_popular": item.is_popular,
        "is_sold_out": item.is_sold_out,
        "tax_rate": item.tax_rate,
        "variations": [{"name": size, "price": price} for size, price in item.sizes],
        "extra_groups": [_to_extra_group(group) for group in item.extra_groups],
    }


def _to_extra_group(group: StarterExtraGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "is_required": group.min > 0,
        "min": group.min,
        "max": group.max,
        "free_count": group.free_count,
        "allows_repeats": group.allows_repeats,
        "extras": [{"name": name, "price": price} for name, price in group.extras],
    }
