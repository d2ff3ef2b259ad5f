"""MCP tools of restaurants: starter menus."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall

from comanda_restaurant.schemas.tools import ListStarterMenus, StarterMenus
from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem
from comanda_restaurant.services.starter_menus import MENUS, Preset
from comanda_restaurant.services.starter_menus.menu import StarterMenu


async def list_starter_menus(call: ToolCall, arguments: ListStarterMenus) -> dict[str, Any]:
    """Return one starter menu in full, or an overview of all."""
    if arguments.preset is not None:
        return {"menus": [_to_menu(arguments.preset, MENUS[arguments.preset], with_items=True)]}
    return {"menus": [_to_menu(preset, menu, with_items=False) for preset, menu in MENUS.items()]}


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
