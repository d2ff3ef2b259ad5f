"""Orders of a store: the list with filters, and the board of those that are open."""

import asyncio
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from comanda.basics import clock
from comanda.contracts import Status
from comanda.web import PRIVATE_HEADERS
from comanda.web.dashboard import Visit
from quart import Response, request

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.orders.counts import get_counts
from comanda_dashboard.pages.orders.texts import (
    PAYMENT_STATUSES,
    PAYMENT_TONES,
    get_next_step,
    list_status_tabs,
    list_types,
    translate,
)

ORDERS: Final = "/restaurants/{id}/orders"
FILTERS: Final = ("status", "type", "source", "payment_status", "from", "to", "day", "min_total", "max_total", "search")
BOARD: Final = (Status.NEW, Status.PREPARING, Status.READY, Status.DELIVERED)
MAX_CARDS: Final = 30
# A text is compared with every order of the days, so those of a long history are searched only on request.
SEARCHED_DAYS: Final = 60


@dashboard.get("/stores/<int:store_id>/orders", scope="orders:read")
async def list_orders(visit: Visit, store_id: int) -> Response:
    """Show the orders of the store, newest first, with tabs, filters and search."""
    filters = visit.query(*FILTERS, "page")
    query = dict(filters)
    is_recent_only = "search" in query and "from" not in query and not request.args.get("all")
    if is_recent_only:
        query["from"] = get_first_searched_day(visit)
    orders = await visit.api.get(ORDERS, id=store_id, query=query)
    counts = await get_counts(visit, store_id)
    return await visit.render(
        "dashboard/orders.html",
        orders=orders,
        filters=filters,
        is_filtered=bool(set(filters) - {"page", "status", "day"}),
        is_narrowed=bool(set(filters) - {"page", "status", "search", "day"}),
        export_query=urlencode({name: value for name, value in query.items() if name != "page"}),
        is_recent_only=is_recent_only,
        searched_days=SEARCHED_DAYS,
        tabs=list_status_tabs(f"/dashboard/stores/{store_id}/orders", filters.get("status", ""), counts),
        **get_texts(visit),
    )


@dashboard.get("/stores/<int:store_id>/orders/export.<form>", scope="orders:read")
async def export_orders(visit: Visit, store_id: int, form: str) -> Response:
    """Send all orders that the filters find as a file, CSV or JSON lines, page by page."""
    query = {**visit.query(*FILTERS), "format": form}
    answer = await visit.api.send("GET", f"{ORDERS}/export", query=query, id=store_id)
    name = f"{visit.store.slug}-orders.{form}"
    headers = {**PRIVATE_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    response = Response(answer.body, content_type=answer.content_type, headers=headers)
    # A long history takes longer to send than a page may.
    response.timeout = None
    return response


@dashboard.get("/stores/<int:store_id>/orders/board", scope="orders:read")
async def show_board(visit: Visit, store_id: int) -> Response:
    """Show the open orders in columns by status."""
    return await visit.render("dashboard/board.html", **await _load_board(visit, store_id))


@dashboard.get("/stores/<int:store_id>/orders/board/live", scope="orders:read")
async def show_live_board(visit: Visit, store_id: int) -> Response:
    """Show the columns of the board alone, for a page that keeps itself current."""
    return await visit.answer_fragment("dashboard/_board.html", **await _load_board(visit, store_id))


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/move", scope="orders:write")
async def move_order(visit: Visit, store_id: int, order_id: int) -> Response:
    """Set the status of an order and return to the board."""
    texts = await visit.read_texts()
    return await visit.act(
        "PUT",
        f"{ORDERS}/{{orderId}}/status",
        body={"status": texts.get("status")},
        to=f"/stores/{store_id}/orders/board",
        id=store_id,
        orderId=order_id,
    )


def get_first_searched_day(visit: Visit) -> str:
    """Return the first day whose orders a text is compared with."""
    return (clock.now().astimezone(visit.zone) - timedelta(days=SEARCHED_DAYS)).date().isoformat()


def get_texts(visit: Visit) -> dict[str, Any]:
    """Return the words that lists of orders need."""
    return {
        "types": list_types(visit.store),
        "payment_statuses": translate(PAYMENT_STATUSES),
        "payment_tones": PAYMENT_TONES,
        "next_step": get_next_step,
    }


async def _load_board(visit: Visit, store_id: int) -> dict[str, Any]:
    pages = await asyncio.gather(*(_load_column(visit, store_id, status) for status in BOARD))
    columns = [(status.value, page) for status, page in zip(BOARD, pages, strict=True)]
    return {"columns": columns, "max_cards": MAX_CARDS, **get_texts(visit)}


async def _load_column(visit: Visit, store_id: int, status: Status) -> dict[str, Any]:
    # Open orders that wait longest come first; of those handed over the last ones are of interest.
    sort = "newest" if status is Status.DELIVERED else "oldest"
    query: dict[str, str | int] = {"status": status, "per_page": MAX_CARDS, "sort": sort}
    found: dict[str, Any] = await visit.api.get(ORDERS, id=store_id, query=query)
    return found
