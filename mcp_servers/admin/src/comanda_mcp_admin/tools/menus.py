"""Tools that read menus."""

from functools import lru_cache
from typing import Any

import orjson
from comanda.contracts import JsonResult, Tool, ToolCall
from comanda.menu import owner_view
from comanda.platform.mcp import select_store

from comanda_mcp_admin.schemas.menus import Categories, GetMenu, ListCategories, OwnedMenu

SERVERS = ("admin",)


async def get_menu(call: ToolCall, arguments: GetMenu) -> JsonResult:
    """Return a store's whole menu."""
    store_id = await select_store(call, arguments)
    return _to_document(store_id, await owner_view.get_owner_menu(call.known_caller, store_id))


async def list_categories(call: ToolCall, arguments: ListCategories) -> dict[str, Any]:
    """List a store's categories."""
    store_id = await select_store(call, arguments)
    menu = orjson.loads(await owner_view.get_owner_menu(call.known_caller, store_id))
    counts = [len(category.pop("items")) for category in menu]
    categories = [{**category, "items_count": count} for category, count in zip(menu, counts, strict=True)]
    return {"restaurant_id": store_id, "categories": categories}


# A menu's bytes stay the same object until it changes, so the cache lookup is cheap.
@lru_cache(maxsize=64)
def _to_document(store_id: int, menu: bytes) -> JsonResult:
    return JsonResult(b'{"restaurant_id":%d,"categories":%b}' % (store_id, menu))


TOOLS = (
    Tool(
        name="get_menu",
        title="Show the menu",
        description=(
            "Returns a store's whole menu: categories with their items, prices, variations, extras and ids. Inactive "
            "and sold-out items, which guests do not see or cannot order, are included and marked."
        ),
        servers=SERVERS,
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
        description="Lists the categories of a store's menu in menu order, each with the number of its items.",
        servers=SERVERS,
        arguments=ListCategories,
        result=Categories,
        handler=list_categories,
        scope="menu:read",
        is_read_only=True,
    ),
)
