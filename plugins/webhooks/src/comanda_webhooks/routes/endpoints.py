"""Endpoints, their deliveries, and the catalogue of events."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.records import (
    DetailedDelivery,
    EventCatalog,
    IssuedEndpoint,
    LoggedDelivery,
    Replay,
    RotatedSecret,
    WebhookEndpoint,
)
from comanda_webhooks.schemas import DeliveryQuery, EndpointBody, EndpointChange, ReplayBody
from comanda_webhooks.services import deliveries, endpoints, event_catalog

routes = Routes("Webhooks", feature=WEBHOOKS.code)


@routes.get("/webhook-endpoints", scope="webhooks:read")
async def list_endpoints(caller: Caller, page: PageRequest) -> RecordPage[WebhookEndpoint]:
    """List your webhook endpoints, newest first, 20 per page."""
    return await endpoints.list_endpoints(caller, page)


@routes.post("/webhook-endpoints", scope="webhooks:write")
async def create_endpoint(caller: Caller, body: EndpointBody) -> IssuedEndpoint:
    """Create an endpoint. Its signing secret is shown only in this response."""
    return await endpoints.create_endpoint(caller, body)


@routes.get("/webhook-endpoints/{id}", scope="webhooks:read")
async def get_endpoint(caller: Caller, id: int) -> WebhookEndpoint:
    """Get an endpoint and the status of its deliveries."""
    return await endpoints.get_endpoint(caller, id)


@routes.patch("/webhook-endpoints/{id}", scope="webhooks:write")
async def update_endpoint(caller: Caller, id: int, body: EndpointChange) -> WebhookEndpoint:
    """Update the URL or the events, pause or resume. The secret and omitted fields stay as they are."""
    return await endpoints.update_endpoint(caller, id, body)


@routes.delete("/webhook-endpoints/{id}", scope="webhooks:write")
async def delete_endpoint(caller: Caller, id: int) -> None:
    """Delete an endpoint and its delivery log. Nothing more is sent to it."""
    await endpoints.delete_endpoint(caller, id)


@routes.post("/webhook-endpoints/{id}/test", scope="webhooks:write", status=202)
async def send_ping(caller: Caller, id: int) -> LoggedDelivery:
    """Send a ``ping`` to the endpoint, whatever its subscriptions and even while it is paused."""
    return await deliveries.send_ping(caller, id)


@routes.post("/webhook-endpoints/{id}/rotate-secret", scope="webhooks:write", status=200)
async def rotate_secret(caller: Caller, id: int) -> RotatedSecret:
    """Replace the signing secret. For 24 hours deliveries are signed with the old one too."""
    return await endpoints.rotate_secret(caller, id)


@routes.post("/webhook-endpoints/{id}/replay", scope="webhooks:write", status=202)
async def replay_deliveries(caller: Caller, id: int, body: ReplayBody) -> Replay:
    """Send failed deliveries, or all, since a point in time again. A paused endpoint answers 409."""
    return await deliveries.replay_deliveries(caller, id, body)


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


@routes.get("/webhook-events", scope="webhooks:read")
async def list_events(caller: Caller) -> EventCatalog:
    """List the events of this installation: when each is sent, the JSON Schema of its data, and a sample."""
    return event_catalog.list_events()
