"""Starter menus as JSON, for tools and routes."""

from typing import Any

from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus import MENUS, Preset
from comanda_restaurant.services.starter_menus.menu import StarterMenu


def list_menus_json(preset: Preset | None) -> dict[str, Any]:
    """Return one starter menu in full, or an overview of all."""
    if preset is not None:
        return {"menus": [_to_menu(preset, MENUS[preset], with_items=True)]}
    return {"menus": [_to_menu(each, menu, with_items=False) for each, menu in MENUS.items()]}


def _to_menu(preset: Preset, menu: StarterMenu, *, with_items: bool) -> dict[str, Any]:
    categories = [
        {"name": name, "items_count": len(items), "items": [_to_item(item) for item in items] if with_items else []}
        for name, items in menu.categories.items()
    ]
    return {
        "preset": preset,
        "title": menu.title,
        "description": menu.description,
        "items_count": menu.items_count,
        "categories": categories,
    }


def _to_item(item: StarterItem) -> dict[str, Any]:
    return {
        "name": item.name,
        "description": item.description,
        "price": item.price,
        "is_vegan": item.is_vegan,
        "is_halal": item.is_halal,
        "calories": item.calories,
        "is_popular": item.is_popular,
        "variations": [{"name": name, "price": price} for name, price in item.sizes],
        "extra_groups": [_to_group(group) for group in item.extra_groups],
    }


def _to_group(group: StarterExtraGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "min": group.min,
        "max": group.max,
        "free_count": group.free_count,
        "allows_repeats": group.allows_repeats,
        "extras": [{"name": name, "price": price} for name, price in group.extras],
    }
