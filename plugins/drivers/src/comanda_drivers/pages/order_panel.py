"""The delivery of an order in the dashboard: its driver, its status and its proof; and deliveries that failed."""

from typing import Any, Final

from comanda.contracts import DeliveryStatus, Panel, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Visit, to_number
from quart import Response

from comanda_drivers.services.deliveries.deliveries import HAS_FAILED

order_pages: Final = DashboardPages("drivers_orders", __name__)

ORDER: Final = "/restaurants/{id}/orders/{orderId}"
MAX_FAILED: Final = 5
STATUSES: Final = {
    DeliveryStatus.PENDING: N_("Waiting for a driver"),
    DeliveryStatus.ASSIGNED: N_("Assigned"),
    DeliveryStatus.PICKED_UP: N_("Picked up"),
    DeliveryStatus.OUT_FOR_DELIVERY: N_("Out for delivery"),
    DeliveryStatus.DELIVERED: N_("Delivered"),
    DeliveryStatus.FAILED: N_("Failed"),
}
TONES: Final = {"pending": "warn", "failed": "bad", "delivered": "good"}


@order_pages.post("/stores/<int:store_id>/orders/<int:order_id>/assign", scope="orders:write")
async def assign_driver(visit: Visit, store_id: int, order_id: int) -> Response:
    """Assign a driver to the order, or another one."""
    texts = await visit.read_texts()
    body = {"driver_id": parse_id(texts.get("driver_id")), "note": texts.get("note") or None}
    return await visit.act(
        "POST", f"{ORDER}/assign", body=body, to=f"/stores/{store_id}/orders/{order_id}",
        notice=_("Driver assigned."), id=store_id, orderId=order_id,
    )  # fmt: skip


@order_pages.post("/stores/<int:store_id>/orders/<int:order_id>/delivery-status", scope="orders:write")
async def override_status(visit: Visit, store_id: int, order_id: int) -> Response:
    """Set any delivery status."""
    texts = await visit.read_texts()
    body: dict[str, Any] = {"delivery_status": texts.get("delivery_status"), "note": texts.get("note") or None}
    if cash := texts.get("cash_collected"):
        body["cash_collected"] = to_number(cash, decimals=visit.decimals)
    return await visit.act(
        "PUT", f"{ORDER}/delivery-status", body=body, to=f"/stores/{store_id}/orders/{order_id}",
        notice=_("Delivery status changed."), id=store_id, orderId=order_id,
    )  # fmt: skip


async def load_delivery_panel(visit: Visit, order_id: int) -> str | None:
    """Return the delivery of an order; None for orders that are not delivered."""
    order = await visit.api.get(ORDER, id=visit.store.id, orderId=order_id)
    if order["delivery_status"] is None:
        return None
    may_assign = visit.may("orders:write") and visit.may("drivers:read")
    drivers = await _list_drivers(visit) if may_assign else []
    return await visit.render_fragment(
        "drivers/dashboard/_delivery_panel.html",
        order=order,
        drivers=drivers,
        statuses={status.value: _(label) for status, label in STATUSES.items()},
        tones=TONES,
    )


async def load_failed_panel(visit: Visit, store_id: int) -> str | None:
    """Return the newest deliveries that failed; None if there are none."""
    query: dict[str, str | int] = {"delivery_status": "failed", "per_page": MAX_FAILED}
    failed = await visit.api.get("/restaurants/{id}/deliveries", id=store_id, query=query)
    open_ones = [order for order in failed["data"] if order["status"] not in {"completed", "cancelled"}]
    if not open_ones:
        return None
    return await visit.render_fragment("drivers/dashboard/_failed_panel.html", deliveries=open_ones)


ORDER_PANELS: Final = (
    Panel("drivers_order", "order", N_("Delivery"), load_delivery_panel, "orders:read", position=20),
    Panel(
        "drivers_failed", "today", N_("Failed deliveries"), load_failed_panel, "orders:read", position=25,
        is_for=HAS_FAILED,
    ),
)  # fmt: skip


async def _list_drivers(visit: Visit) -> list[dict[str, Any]]:
    """Return the active drivers of the store, those on shift first."""
    found = await visit.api.get("/drivers", query={"per_page": 100})
    drivers = [
        driver for driver in found["data"] if driver["is_active"] and driver["restaurant_id"] in {None, visit.store.id}
    ]
    return sorted(drivers, key=lambda driver: (not driver["is_on_shift"], driver["active_deliveries"], driver["name"]))
