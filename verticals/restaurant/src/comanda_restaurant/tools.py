"""MCP tools of restaurants: starter menus."""

from typing import Any

from comanda.contracts import Tool, ToolCall

from comanda_restaurant.schemas import ListStarterMenus, StarterMenus
from comanda_restaurant.services.starter_menus_json import list_menus_json


async def list_starter_menus(call: ToolCall, arguments: ListStarterMenus) -> dict[str, Any]:
    """Return one starter menu in full, or an overview of all."""
    return list_menus_json(arguments.preset)


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
