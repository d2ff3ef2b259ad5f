"""The delivery log of an endpoint."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_webhooks import deliveries
from comanda_webhooks.schemas import DeliveryDetail, DeliveryOut, DeliveryQuery

routes = Routes("Webhooks")


@routes.get("/webhook-endpoints/{id}/deliveries", scope="webhooks:read", answers=Page[DeliveryOut])
async def list_deliveries(caller: Caller, id: int, query: DeliveryQuery, page: PageRequest) -> dict[str, Any]:
    """List deliveries to an endpoint, newest first, 30 per page; filter by ``status`` and ``event``."""
    return await deliveries.page_of_deliveries(caller, id, query, page)


@routes.get("/webhook-endpoints/{id}/deliveries/{deliveryId}", scope="webhooks:read", answers=DeliveryDetail)
async def show_delivery(caller: Caller, id: int, delivery_id: int) -> dict[str, Any]:
    """Show a delivery, what was sent, and every attempt with the receiver's answer."""
    return await deliveries.delivery(caller, id, delivery_id)


@routes.post(
    "/webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver",
    scope="webhooks:write",
    status=202,
    answers=DeliveryOut,
)
async def redeliver(caller: Caller, id: int, delivery_id: int) -> dict[str, Any]:
    """Send a delivery again under a fresh ``webhook-id``; it supersedes the one that is still being tried."""
    return await deliveries.redeliver(caller, id, delivery_id)
