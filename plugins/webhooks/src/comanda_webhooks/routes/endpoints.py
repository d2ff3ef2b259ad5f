"""Routes for owners to manage webhook endpoints."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.records.deliveries import LoggedDelivery, Replay
from comanda_webhooks.records.endpoints import IssuedEndpoint, RotatedSecret, WebhookEndpoint
from comanda_webhooks.schemas.deliveries import ReplayBody
from comanda_webhooks.schemas.endpoints import EndpointBody, EndpointChange
from comanda_webhooks.services import deliveries, endpoints

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
