"""Routes for owners to create and track shipments."""

from comanda.contracts import (
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    PageRequest,
    RecordPage,
    Routes,
    Unvalidated,
    key_header,
)

from comanda_shipping.records import OrderShipment, Shipment
from comanda_shipping.schemas import ShipmentBody, ShipmentChange, ShipmentQuery
from comanda_shipping.services import shipment_views, shipments

routes = Routes("Shipments")


@routes.get("/restaurants/{id}/shipments", scope="orders:read")
async def list_shipments(caller: Caller, id: int, query: ShipmentQuery, page: PageRequest) -> RecordPage[Shipment]:
    """List a store's shipments, newest first, 20 per page; filter by ``status`` and ``order_id``."""
    return await shipment_views.list_shipments(caller, id, query, page)


@routes.get("/restaurants/{id}/shipments/{shipmentId}", scope="orders:read")
async def get_shipment(caller: Caller, id: int, shipment_id: int) -> Shipment:
    """Get a shipment with its contents."""
    return await shipment_views.get_shipment(caller, id, shipment_id)


@routes.put("/restaurants/{id}/shipments/{shipmentId}", scope="orders:write")
async def update_shipment(caller: Caller, id: int, shipment_id: int, body: ShipmentChange) -> Shipment:
    """Update carrier, tracking or status. Omitted fields stay; a status that cannot follow answers 409."""
    return await shipments.update_shipment(caller, id, shipment_id, body)


@routes.get("/restaurants/{id}/orders/{orderId}/shipment", scope="orders:read")
async def get_order_shipment(caller: Caller, id: int, order_id: int) -> OrderShipment:
    """Get an order's newest shipment that is neither failed nor returned, or else the newest; 404 without any."""
    return await shipment_views.get_order_shipment(caller, id, order_id)


@routes.post(
    "/restaurants/{id}/orders/{orderId}/shipments",
    scope="orders:write",
    answers=Shipment,
    headers=(key_header("shipment"),),
)
async def create_shipment(
    caller: Caller, call: Call, id: int, order_id: int, body: Unvalidated[ShipmentBody]
) -> Answer:
    """Create a shipment of an order of type ``ship``: of everything left to ship, or of ``items``."""
    created = await shipments.create_shipment(caller, id, order_id, body, IdempotencyKey.of(call))
    return created.answer()
