"""Deliveries of a store, for its owner."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.orders.schemas import OrderOut

from comanda_drivers.schemas.deliveries import AssignBody, DeliveryOfStore, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.services import manual_dispatch

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/deliveries", scope="orders:read", answers=Page[DeliveryOfStore])
async def list_deliveries(caller: Caller, id: int, query: StoreDeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's deliveries, newest first, 30 per page; filter by ``delivery_status`` and ``driver_id``."""
    return await manual_dispatch.list_deliveries(caller, id, query, page)


@routes.post("/restaurants/{id}/orders/{orderId}/assign", scope="orders:write", status=200, answers=OrderOut)
async def assign_delivery(caller: Caller, id: int, order_id: int, body: AssignBody) -> dict[str, Any]:
    """Assign a delivery to a driver, whatever its status, replacing its current driver."""
    return await manual_dispatch.assign_delivery(caller, id, order_id, body)


@routes.put("/restaurants/{id}/orders/{orderId}/delivery-status", scope="orders:write", answers=OrderOut)
async def override_status(caller: Caller, id: int, order_id: int, body: DeliveryStatusBody) -> dict[str, Any]:
    """Set any delivery status; ``pending`` releases the driver."""
    return await manual_dispatch.override_status(caller, id, order_id, body)
