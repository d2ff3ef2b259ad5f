"""Deliveries of a store, as owners see them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.orders.schemas import OrderOut

from comanda_drivers.schemas.deliveries import AssignBody, DeliveryOfStore, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.services import dispatching

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/deliveries", scope="orders:read", answers=Page[DeliveryOfStore])
async def list_deliveries(caller: Caller, id: int, query: StoreDeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's deliveries, newest first, 30 per page; filter by ``delivery_status`` and ``driver_id``."""
    return await dispatching.page_of_deliveries(caller, id, query, page)


@routes.post("/restaurants/{id}/orders/{orderId}/assign", scope="orders:write", status=200, answers=OrderOut)
async def assign(caller: Caller, id: int, order_id: int, body: AssignBody) -> dict[str, Any]:
    """Give a delivery to a driver, whatever its status is, and take it from the one who has it."""
    return await dispatching.assign(caller, id, order_id, body)


@routes.put("/restaurants/{id}/orders/{orderId}/delivery-status", scope="orders:write", answers=OrderOut)
async def override(caller: Caller, id: int, order_id: int, body: DeliveryStatusBody) -> dict[str, Any]:
    """Set the delivery status; any may follow any other, and ``pending`` takes the order from its driver."""
    return await dispatching.override(caller, id, order_id, body)
