"""Tool that reads the menu page by page."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import orjson
from comanda.basics import ValidationFailed, to_json
from comanda.contracts import JsonResult, Tool, ToolCall

from comanda_mcp_storefront.schemas import GetMenu, MenuPage
from comanda_mcp_storefront.services.menu_search import normalize
from comanda_mcp_storefront.services.stores import load_menu

SERVERS = ("storefront",)
PER_PAGE: Final = 50
MAX_CHOICES: Final = 50

CategoryRecord = dict[str, Any]


async def get_menu(call: ToolCall, arguments: GetMenu) -> JsonResult:
    """Return a page of items that can be ordered now."""
    menu = await load_menu(call, arguments.type)
    return _to_page(menu.public, menu.terms.currency, normalize(arguments.category or ""), arguments.page)


# A menu's bytes stay the same object until it changes, so the cache lookup is cheap.
@lru_cache(maxsize=64)
def _to_page(public: bytes, currency: str, category: str, number: int) -> JsonResult:
    menu: list[CategoryRecord] = orjson.loads(public)
    wanted = _find_categories(menu, category) if category else menu
    total = sum(len(each["items"]) for each in wanted)
    document = {
        "currency": currency,
        "headings": [{"id": each["id"], "name": each["name"], "items_count": len(each["items"])} for each in menu],
        "categories": _slice_items(wanted, (number - 1) * PER_PAGE),
        "current_page": number,
        "last_page": max(1, -(-total // PER_PAGE)),
        "per_page": PER_PAGE,
        "total": total,
    }
    return JsonResult(to_json(document))


def _find_categories(menu: Sequence[CategoryRecord], category: str) -> list[CategoryRecord]:
    """Return the categories with a name or id. Raises ``ValidationFailed`` with ``choices`` if there is none."""
    found = [each for each in menu if category in {normalize(each["name"]), str(each["id"])}]
    if not found:
        choices = [{"id": each["id"], "name": each["name"]} for each in menu[:MAX_CHOICES]]
        raise ValidationFailed(
            category=["There is no such category. Choose one of the choices."], extras={"choices": choices}
        )
    return found


def _slice_items(categories: Sequence[CategoryRecord], start: int) -> list[CategoryRecord]:
    """Return the categories that have items on a page, with only those items."""
    shown = []
    for category in categories:
        items = category["items"][max(start, 0) : max(start + PER_PAGE, 0)]
        if items:
            shown.append({**category, "items": items})
        start -= len(category["items"])
    return shown


TOOLS = (
    Tool(
        name="get_menu",
        title="Show the menu",
        description=(
            "Returns what can be ordered now, by category, with prices, variations and extras; sold-out items are left "
            "out. 50 items a page; headings lists all categories, each of which can be requested on its own."
        ),
        servers=SERVERS,
        arguments=GetMenu,
        result=MenuPage,
        handler=get_menu,
        scope="menu:read",
        is_read_only=True,
    ),
)
