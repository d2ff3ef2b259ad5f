"""Tools for menu items."""

from typing import Any

import orjson
from comanda.basics import NotFound
from comanda.contracts import OfferedItem, Tool, ToolCall
from comanda.menu import MenuSnapshot, to_public_item_json

from comanda_mcp_storefront.schemas import GetItem, ItemResult, Message, SearchMenu, SearchResult
from comanda_mcp_storefront.services.menu_search import get_lowest_price, matches_diets, rank_items
from comanda_mcp_storefront.services.stores import load_menu

SERVERS = ("storefront",)


async def search_menu(call: ToolCall, arguments: SearchMenu) -> dict[str, Any]:
    """Find items, best first."""
    menu = await load_menu(call, arguments.type)
    candidates = [
        item
        for item in _list_items(menu, in_stock=arguments.in_stock)
        if matches_diets(item, arguments.dietary)
        and (arguments.max_price is None or get_lowest_price(item) <= arguments.max_price)
    ]
    found, is_complete = rank_items(candidates, arguments.query or "")
    messages = []
    if not is_complete:
        text = "No item matches all of these words; these items match some of them."
        messages.append(Message(type="info", code="partial_match", path="query", text=text))
    shown = found[: arguments.limit]
    return {"currency": menu.terms.currency, "items": shown, "total": len(found), "messages": messages}


async def get_item(call: ToolCall, arguments: GetItem) -> dict[str, Any]:
    """Return an item, even if it is sold out. Raises ``NotFound`` for an item that is not on the menu."""
    menu = await load_menu(call, arguments.type)
    item = menu.items.get(arguments.item_id)
    if item is None or not item.is_on_menu:
        raise NotFound
    messages = []
    if not item.is_available:
        messages.append(_to_warning(item))
    headings = {category["id"]: category["name"] for category in orjson.loads(menu.public)}
    record = _to_record(menu, item, headings[item.category_id])
    return {"currency": menu.terms.currency, "item": record, "messages": messages}


def _to_warning(item: OfferedItem) -> Message:
    """Return why an item that is on the menu cannot be ordered now."""
    code, text = "sold_out", "This item is sold out and cannot be ordered now."
    if not item.orderability.is_orderable and item.orderability.changes_at is not None and not item.is_sold_out:
        again = item.orderability.changes_at.isoformat()
        code, text = "not_sold_now", f"This item cannot be ordered now. It is sold again at {again}."
    return Message(type="warning", code=code, path="item_id", text=text)


def _list_items(menu: MenuSnapshot, *, in_stock: bool) -> list[dict[str, Any]]:
    """Return items in the menu's order; without ``in_stock`` including those that are sold out."""
    categories = orjson.loads(menu.public)
    if in_stock:
        return [{**item, "category": category["name"]} for category in categories for item in category["items"]]
    headings = {category["id"]: category["name"] for category in categories}
    return [_to_record(menu, item, headings[item.category_id]) for item in menu.items.values() if item.is_on_menu]


def _to_record(menu: MenuSnapshot, item: OfferedItem, category: str) -> dict[str, Any]:
    record = to_public_item_json(item, menu.terms.vertical, menu.terms.currency)
    return {**record, "is_sold_out": not item.is_available, "category": category}


TOOLS = (
    Tool(
        name="search_menu",
        title="Search the menu",
        description=(
            "Finds items by words, diet and price, best first. If no item matches all words, it returns those that "
            "match some and says so in messages. Without words it lists all matching items in the menu's order."
        ),
        servers=SERVERS,
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
            "Returns an item with its variations, whose price replaces its own, and its groups of extras, whose prices "
            "are added: how many must and may be chosen, and how many are free. Allergens and similar facts are in "
            "the description. A sold-out item is returned with a warning."
        ),
        servers=SERVERS,
        arguments=GetItem,
        result=ItemResult,
        handler=get_item,
        scope="menu:read",
        is_read_only=True,
    ),
)
