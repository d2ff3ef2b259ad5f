"""Reading a menu, as a whole or only its headings."""

from functools import lru_cache
from typing import Any

import orjson
from comanda.contracts.mcp import JsonResult, Tool, ToolCall
from comanda.mcp.store_selection import select_store
from comanda.menu import owner_view

from comanda_mcp_admin.schemas.menus import Categories, GetMenu, ListCategories, OwnedMenu

ON = ("admin",)


async def get_menu(call: ToolCall, arguments: GetMenu) -> JsonResult:
    """Give a store's whole menu."""
    store_id = await select_store(call, arguments)
    return _document(store_id, await owner_view.get_owner_menu(call.known_caller, store_id))


async def list_categories(call: ToolCall, arguments: ListCategories) -> dict[str, Any]:
    """List a store's categories."""
    store_id = await select_store(call, arguments)
    menu = orjson.loads(await owner_view.get_owner_menu(call.known_caller, store_id))
    counts = [len(category.pop("items")) for category in menu]
    categories = [{**category, "items_count": count} for category, count in zip(menu, counts, strict=True)]
    return {"restaurant_id": store_id, "categories": categories}


# A menu's bytes stay the same object until it changes, so that finding them here again costs next to nothing.
@lru_cache(maxsize=64)
def _document(store_id: int, menu: bytes) -> JsonResult:
    return JsonResult(b'{"restaurant_id":%d,"categories":%b}' % (store_id, menu))


TOOLS = (
    Tool(
        name="get_menu",
        title="Show the menu",
        description=(
            "Shows a store's whole menu: categories with their items, prices, variations, extras and ids. Things that "
            "guests do not see now, because they are inactive or sold out, are included and marked."
        ),
        servers=ON,
        arguments=GetMenu,
        result=OwnedMenu,
        handler=get_menu,
        scope="read",
        resource="menu",
        is_read_only=True,
    ),
    Tool(
        name="list_categories",
        title="List menu categories",
        description="Lists the categories of a store's menu in their order, each with the number of its items.",
        servers=ON,
        arguments=ListCategories,
        result=Categories,
        handler=list_categories,
        scope="menu:read",
        is_read_only=True,
    ),
)
