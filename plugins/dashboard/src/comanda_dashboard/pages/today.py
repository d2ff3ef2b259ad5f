"""The first page: which stores there are, and how the day of one goes."""

from typing import Any

from comanda.contracts import Status
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.first_steps import list_first_steps
from comanda_dashboard.pages.orders.counts import NOTHING, get_counts, list_counts
from comanda_dashboard.pages.orders.order_list import get_texts
from comanda_dashboard.pages.orders.waiting_orders import list_waiting_orders


@dashboard.get("", scope=None)
async def show_dashboard(visit: Visit) -> Response:
    """Show the person's stores with their numbers; with one store, go to its day, and without any to their business."""
    if len(visit.stores) == 1:
        return visit.redirect(f"/stores/{visit.stores[0].id}")
    if not visit.stores and (path := await visit.find_business_path()):
        return visit.redirect(path)
    counts = await list_counts(visit)
    cards = [
        {
            "store": store,
            "open": sum(counts.get(store.id, NOTHING).get(status, 0) for status in Status if status.is_open),
            "new": counts.get(store.id, NOTHING).get("new", 0),
            "day": counts.get(store.id, NOTHING).get("business_date"),
            "day_orders": counts.get(store.id, NOTHING).get("day_orders", 0),
        }
        for store in visit.stores
    ]
    return await visit.render("dashboard/stores.html", cards=cards)


@dashboard.get("/stores/<int:store_id>", scope=None)
async def show_today(visit: Visit, store_id: int) -> Response:
    """Show the store's day: open orders, what waits, and panels of the plugins that are installed."""
    return await visit.render(
        "dashboard/today.html",
        panels=await visit.load_panels("today", store_id),
        steps=await list_first_steps(visit),
        **await _load_live(visit, store_id),
    )


@dashboard.get("/stores/<int:store_id>/live", scope="orders:read")
async def show_live_orders(visit: Visit, store_id: int) -> Response:
    """Show the open orders alone, for a page that keeps itself current."""
    return await visit.answer_fragment("dashboard/_open_orders.html", **await _load_live(visit, store_id))


async def _load_live(visit: Visit, store_id: int) -> dict[str, Any]:
    if not visit.may("orders:read"):
        return {"counts": None}
    counts = await get_counts(visit, store_id)
    return {"counts": counts, "waiting": await list_waiting_orders(visit, counts), **get_texts(visit)}
