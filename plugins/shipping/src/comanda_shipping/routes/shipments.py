"""Shipments, as owners make and follow them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_shipping import reading, services
from comanda_shipping.schemas import OrderShipmentOut, ShipmentBody, ShipmentChange, ShipmentOut, ShipmentQuery

routes = Routes("Shipments")


@routes.get("/restaurants/{id}/shipments", scope="orders:read", answers=Page[ShipmentOut])
async def list_shipments(caller: Caller, id: int, query: ShipmentQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's shipments, newest first, 20 per page; filter by ``status`` and ``order_id``."""
    return await reading.page_of_shipments(caller, id, query, page)


@routes.get("/restaurants/{id}/shipments/{shipmentId}", scope="orders:read", answers=ShipmentOut)
async def show_shipment(caller: Caller, id: int, shipment_id: int) -> dict[str, Any]:
    """Show a shipment and what it holds."""
    return await reading.shipment(caller, id, shipment_id)


@routes.put("/restaurants/{id}/shipments/{shipmentId}", scope="orders:write", answers=ShipmentOut)
async def change_shipment(caller: Caller, id: int, shipment_id: int, body: ShipmentChange) -> dict[str, Any]:
    """Change carrier, tracking or status; fields left out stay, and a status that cannot follow answers 409."""
    return await services.change_shipment(caller, id, shipment_id, body)


@routes.get("/restaurants/{id}/orders/{orderId}/shipment", scope="orders:read", answers=OrderShipmentOut)
async def show_shipment_of_order(caller: Caller, id: int, order_id: int) -> dict[str, Any]:
    """Show an order's shipment: of several the newest that has not failed or come back; without any it is 404."""
    return await reading.shipment_of_order(caller, id, order_id)


@routes.post(
    "/restaurants/{id}/orders/{orderId}/shipments",
    scope="orders:write",
    answers=ShipmentOut,
    headers=(key_header("shipment"),),
)
async def make_shipment(caller: Caller, call: Call, id: int, order_id: int, body: Unvalidated[ShipmentBody]) -> Answer:
    """Make a shipment of an order of the type ``ship``, of all that is left of it or of some ``items``."""
    made = await services.make_shipment(caller, id, order_id, body, IdempotencyKey.of(call))
    return made.answer()
