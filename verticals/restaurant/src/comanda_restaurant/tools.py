"""MCP tools of restaurants: starter menus."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall

from comanda_restaurant.schemas.tools import ListStarterMenus, StarterMenus
from comanda_restaurant.services.dishes import Dish, DishExtraGroup
from comanda_restaurant.services.starter_menus import MENUS, Preset
from comanda_restaurant.services.starter_menus.menu import StarterMenu


async def list_starter_menus(call: ToolCall, arguments: ListStarterMenus) -> dict[str, Any]:
    """Return one starter menu in full, or an overview of all."""
    if arguments.preset is not None:
        return {"menus": [_to_menu(arguments.preset, MENUS[arguments.preset], with_items=True)]}
    return {"menus": [_to_menu(preset, menu, with_items=False) for preset, menu in MENUS.items()]}


def _to_menu(preset: Preset, menu: StarterMenu, *, with_items: bool) -> dict[str, Any]:
    categories = [
        {"name": name, "items_count": len(dishes), "items": [_to_item(dish) for dish in dishes] if with_items else []}
        for name, dishes in menu.categories.items()
    ]
    return {
        "preset": preset,
        "title": menu.title,
        "description": menu.description,
        "items_count": menu.items_count,
        "categories": categories,
    }


def _to_item(dish: Dish) -> dict[str, Any]:
    return {
        "name": dish.name,
        "description": dish.description,
        "price": dish.price,
        "is_vegan": dish.is_vegan,
        "is_halal": dish.is_halal,
        "calories": dish.calories,
        "is_popular": dish.is_popular,
        "variations": [{"name": name, "price": price} for name, price in dish.sizes],
        "extra_groups": [_to_group(group) for group in dish.extra_groups],
    }


def _to_group(group: DishExtraGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "min": group.min,
        "max": group.max,
        "free_count": group.free_count,
        "allows_repeats": group.allows_repeats,
        "extras": [{"name": name, "price": price} for name, price in group.extras],
    }


TOOLS = (
    Tool(
        name="list_starter_menus",
        title="List starter menus",
        description=(
            "Lists complete starter menus for a restaurant: cafe, pizzeria, burger, bakery, lounge. Without a preset "
            "it returns an overview; with one, all items with prices, dietary information, variations and extras."
        ),
        servers=("catalog",),
        arguments=ListStarterMenus,
        result=StarterMenus,
        handler=list_starter_menus,
        is_read_only=True,
    ),
)
