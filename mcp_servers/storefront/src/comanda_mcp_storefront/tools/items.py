"""Items: looking for them, and one with all its choices."""

from collections.abc import Mapping
from typing import Any

import orjson
from comanda.contracts.mcp import Tool, ToolCall
from comanda.errors import NotFound
from comanda.menu import records
from comanda.menu.snapshot import MenuSnapshot

from comanda_mcp_storefront.places import menu_of
from comanda_mcp_storefront.schemas import GetItem, ItemResult, Message, SearchMenu, SearchResult
from comanda_mcp_storefront.searching import fits, lowest_price, ranked

ON = ("storefront",)


async def search_menu(call: ToolCall, arguments: SearchMenu) -> dict[str, Any]:
    """Find items, the best first."""
    menu = await menu_of(call)
    candidates = [
        item
        for item in _items(menu, in_stock=arguments.in_stock)
        if fits(item, arguments.dietary) and (arguments.max_price is None or lowest_price(item) <= arguments.max_price)
    ]
    found, is_complete = ranked(candidates, arguments.query or "")
    messages = []
    if not is_complete:
        text = "No item has all of these words; those that are shown have some."
        messages.append(Message(type="info", code="partial_match", path="query", text=text))
    shown = found[: arguments.limit]
    return {"currency": menu.terms.currency, "items": shown, "total": len(found), "messages": messages}


async def get_item(call: ToolCall, arguments: GetItem) -> dict[str, Any]:
    """Show one item, one that is sold out too. Raises ``NotFound`` for one that is not on the menu."""
    menu = await menu_of(call)
    item = menu.items.get(arguments.item_id)
    if item is None or not item["is_on_menu"]:
        raise NotFound
    messages = []
    if not item["is_available"]:
        text = "This item is sold out and cannot be ordered now."
        messages.append(Message(type="warning", code="sold_out", path="item_id", text=text))
    headings = {category["id"]: category["name"] for category in orjson.loads(menu.public)}
    record = _record(menu, item, headings[item["category_id"]])
    return {"currency": menu.terms.currency, "item": record, "messages": messages}


def _items(menu: MenuSnapshot, *, in_stock: bool) -> list[dict[str, Any]]:
    """List the records of items, in the menu's order; without ``in_stock`` those that are sold out too."""
    categories = orjson.loads(menu.public)
    if in_stock:
        return [{**item, "category": category["name"]} for category in categories for item in category["items"]]
    headings = {category["id"]: category["name"] for category in categories}
    return [_record(menu, item, headings[item["category_id"]]) for item in menu.items.values() if item["is_on_menu"]]


def _record(menu: MenuSnapshot, item: Mapping[str, Any], category: str) -> dict[str, Any]:
    record = records.to_public_item_record(item, menu.terms.vertical, menu.terms.currency)
    return {**record, "is_sold_out": not item["is_available"], "category": category}


TOOLS = (
    Tool(
        name="search_menu",
        title="Search the menu",
        description=(
            "Finds items by words, diet and price, the best first. If no item has all of the words, it shows those "
            "that have some and says so in messages. Without words it lists everything that fits, in the menu's order."
        ),
        servers=ON,
        arguments=SearchMenu,
        result=SearchResult,
        handler=search_menu,
        scope="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="get_item",
        title="Show an item",
        description=(
            "Shows an item with its variations, whose price replaces its own, and its groups of extras, whose prices "
            "are added: how many must and may be chosen, and how many cost nothing. Allergens and the like stand in "
            "the description. A sold-out item is shown with a warning."
        ),
        servers=ON,
        arguments=GetItem,
        result=ItemResult,
        handler=get_item,
        scope="menu:read",
        is_read_only=True,
    ),
)
