"""Routes of an endpoint's delivery log."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.records.deliveries import DetailedDelivery, LoggedDelivery
from comanda_webhooks.schemas.deliveries import DeliveryQuery
from comanda_webhooks.services import deliveries

routes = Routes("Webhooks", feature=WEBHOOKS.code)


@routes.get("/webhook-endpoints/{id}/deliveries", scope="webhooks:read")
async def list_deliveries(
    caller: Caller, id: int, query: DeliveryQuery, page: PageRequest
) -> RecordPage[LoggedDelivery]:
    """List deliveries to an endpoint, newest first, 30 per page; filter by ``status`` and ``event``."""
    return await deliveries.list_deliveries(caller, id, query, page)


@routes.get("/webhook-endpoints/{id}/deliveries/{deliveryId}", scope="webhooks:read")
async def get_delivery(caller: Caller, id: int, delivery_id: int) -> DetailedDelivery:
    """Get a delivery with its payload and every attempt with the receiver's response."""
    return await deliveries.get_delivery(caller, id, delivery_id)


@routes.post("/webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver", scope="webhooks:write", status=202)
async def redeliver(caller: Caller, id: int, delivery_id: int) -> LoggedDelivery:
    """Send a delivery again with a new ``webhook-id``. It supersedes the original if that is still pending."""
    return await deliveries.redeliver(caller, id, delivery_id)
