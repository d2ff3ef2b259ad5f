"""One order: everything the API knows of it, its status, and what is printed of it."""

from typing import Any, Final

from comanda.basics import Forbidden
from comanda.web import to_words
from comanda.web.dashboard import Visit
from quart import Response, current_app

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.orders.order_list import get_texts
from comanda_dashboard.pages.orders.sections import list_added_fields, list_added_line_fields
from comanda_dashboard.pages.orders.texts import FIELDS, PAYMENT_STATUSES, STATUSES, get_actor, translate

ORDER: Final = "/restaurants/{id}/orders/{orderId}"
MAX_CHANGES: Final = 100
TRACKING_PAGE: Final = "storefront.show_order"


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>", scope="orders:read")
async def show_order(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show an order with its lines, amounts, customer, history, and the panels of plugins."""
    order = await visit.api.get(ORDER, id=store_id, orderId=order_id)
    changes = await visit.api.get(f"{ORDER}/history", query={"per_page": MAX_CHANGES}, id=store_id, orderId=order_id)
    return await visit.render(
        "dashboard/order.html",
        order=order,
        changes=changes["data"],
        panels=await visit.load_panels("order", order_id),
        added_fields=list_added_fields(order, visit.zone),
        added_line_fields={line["id"]: list_added_line_fields(line, visit.zone) for line in order["items"]},
        statuses=translate(STATUSES),
        values=translate(PAYMENT_STATUSES) | translate(STATUSES),
        fields=translate(FIELDS),
        # The page belongs to a plugin, which may not be installed.
        has_tracking_page=TRACKING_PAGE in current_app.view_functions,
        actor=get_actor,
        to_words=to_words,
        **get_texts(visit),
    )


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/status", scope="orders:write")
async def change_status(visit: Visit, store_id: int, order_id: int) -> Response:
    """Set the status of an order with a note."""
    texts = await visit.read_texts()
    body = {"status": texts.get("status"), "note": texts.get("note") or None}
    return await visit.act(
        "PUT", f"{ORDER}/status", body=body, to=f"/stores/{store_id}/orders/{order_id}", id=store_id, orderId=order_id
    )


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>/receipt", scope="orders:read")
async def show_receipt(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show the receipt of an order, to be printed."""
    order = await visit.api.get(ORDER, id=store_id, orderId=order_id)
    return await visit.render(
        "dashboard/receipt.html",
        order=order,
        settings=await _load_settings(visit),
        panels=await visit.load_panels("receipt", order_id),
        **get_texts(visit),
    )


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>/kitchen-slip", scope="orders:read")
async def show_kitchen_slip(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show what the kitchen needs to know of an order, to be printed."""
    order = await visit.api.get(ORDER, id=store_id, orderId=order_id)
    return await visit.render("dashboard/kitchen_slip.html", order=order, **get_texts(visit))


async def _load_settings(visit: Visit) -> dict[str, Any]:
    """Return the store's settings, or nothing to people who may not read them."""
    try:
        found: dict[str, Any] = await visit.api.get("/restaurants/{id}/settings", id=visit.store.id)
    except Forbidden:
        return {}
    return found
