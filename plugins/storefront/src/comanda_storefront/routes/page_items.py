"""Routes for the script of a store's page: an item's details, and the times for which guests can order."""

from typing import Any, Final

from comanda.contracts import PUBLIC, Answer, Call, Routes
from comanda.menu import PublicMenuQuery
from comanda.web import choose_language, use_language
from werkzeug.http import parse_cookie

from comanda_storefront.pages.checkout import order_times
from comanda_storefront.pages.store import item_details
from comanda_storefront.schemas.page_orders import ItemDetails, OrderTimes, TimesQuery

# A guest who looks at an item again soon sees it at once; what is sold out meanwhile is checked with the order.
ITEM_HEADERS: Final = {
    "Cache-Control": "private, max-age=60",
    "Vary": "Accept-Encoding, Accept-Language, Cookie",
}

routes = Routes("Storefront pages", callers=PUBLIC, prefix="", is_documented=False)


@routes.get("/s/{slug}/items/{itemId}/details", answers=ItemDetails)
async def get_item(call: Call, slug: str, item_id: int, query: PublicMenuQuery) -> Answer:
    """Return an item on the menu of a published store, with pictures and options, at the prices of an order type."""
    with use_language(choose_language(call.headers)):
        cookies = parse_cookie(call.headers.get("cookie", ""))
        details = await item_details.get_item_details(slug, item_id, query.type, cookies)
        return Answer(details, headers=dict(ITEM_HEADERS))


@routes.get("/s/{slug}/times", answers=OrderTimes)
async def list_times(slug: str, query: TimesQuery) -> dict[str, Any]:
    """List the times of a day for which guests can order."""
    return await order_times.list_order_times(slug, query.date)
