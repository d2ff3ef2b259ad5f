"""Deliveries of a store, for its owner."""

from typing import Any

from comanda.contracts import Caller, Page, PageRequest, Routes
from comanda.orders import OrderOut, to_order_json, to_order_summary_json

from comanda_drivers.records.delivery_terms import StoreDeliveryTerms
from comanda_drivers.schemas.deliveries import AssignBody, DeliveryOfStore, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.schemas.terms import TermsChange
from comanda_drivers.services.dispatch import manual_dispatch
from comanda_drivers.services.dispatch.manual_dispatch import StoreDelivery
from comanda_drivers.services.terms import delivery_terms

routes = Routes("Deliveries")


@routes.get("/restaurants/{id}/deliveries", scope="orders:read", answers=Page[DeliveryOfStore])
async def list_deliveries(caller: Caller, id: int, query: StoreDeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's deliveries, newest first, 30 per page; filter by ``delivery_status`` and ``driver_id``.

    ``active=1`` hides delivered and failed ones, and those of cancelled or completed orders.
    """
    return (await manual_dispatch.list_deliveries(caller, id, query, page)).to_json(_to_delivery_json)


@routes.post("/restaurants/{id}/orders/{orderId}/assign", scope="orders:write", status=200, answers=OrderOut)
async def assign_delivery(caller: Caller, id: int, order_id: int, body: AssignBody) -> dict[str, Any]:
    """Assign a delivery to a driver, whatever its status, replacing its current driver."""
    return to_order_json(await manual_dispatch.assign_delivery(caller, id, order_id, body))


@routes.put("/restaurants/{id}/orders/{orderId}/delivery-status", scope="orders:write", answers=OrderOut)
async def override_status(caller: Caller, id: int, order_id: int, body: DeliveryStatusBody) -> dict[str, Any]:
    """Set any delivery status; ``pending`` releases the driver."""
    return to_order_json(await manual_dispatch.override_status(caller, id, order_id, body))


def _to_delivery_json(delivery: StoreDelivery) -> dict[str, Any]:
    driver, order = delivery.driver, delivery.order
    return {
        **to_order_summary_json(order),
        "driver": driver and {"id": driver.id, "name": driver.name, "phone": driver.phone},
        "timeline": order.timeline,
    }


@routes.get("/restaurants/{id}/delivery-terms", scope="restaurants:read")
async def get_terms(caller: Caller, id: int) -> StoreDeliveryTerms:
    """Return a store's delivery terms: fees, distance limits, dispatch, and limits for drivers."""
    return await delivery_terms.get_store_terms(caller, id)


@routes.put("/restaurants/{id}/delivery-terms", scope="restaurants:write")
async def update_terms(caller: Caller, id: int, body: TermsChange) -> StoreDeliveryTerms:
    """Update a store's delivery terms; omitted fields stay unchanged, null clears them; orders keep their fee."""
    return await delivery_terms.update_store_terms(caller, id, body)
