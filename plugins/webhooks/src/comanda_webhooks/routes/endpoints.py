"""Webhook endpoints, as owners manage them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_webhooks import deliveries, services
from comanda_webhooks.schemas import (
    DeliveryOut,
    EndpointBody,
    EndpointChange,
    EndpointCreated,
    EndpointOut,
    ReplayAnswer,
    ReplayBody,
    SecretRotated,
)

routes = Routes("Webhooks")


@routes.get("/webhook-endpoints", scope="webhooks:read", answers=Page[EndpointOut])
async def list_endpoints(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List your webhook endpoints, newest first, 20 per page."""
    return await services.page_of_endpoints(caller, page)


@routes.post("/webhook-endpoints", scope="webhooks:write", answers=EndpointCreated)
async def create_endpoint(caller: Caller, body: EndpointBody) -> dict[str, Any]:
    """Create an endpoint; its signing secret is in this answer and in no other."""
    return await services.create_endpoint(caller, body)


@routes.get("/webhook-endpoints/{id}", scope="webhooks:read", answers=EndpointOut)
async def show_endpoint(caller: Caller, id: int) -> dict[str, Any]:
    """Show an endpoint and how its deliveries fare."""
    return await services.endpoint(caller, id)


@routes.patch("/webhook-endpoints/{id}", scope="webhooks:write", answers=EndpointOut)
async def change_endpoint(caller: Caller, id: int, body: EndpointChange) -> dict[str, Any]:
    """Change the URL or the events, pause or resume; the secret stays and fields left out do too."""
    return await services.change_endpoint(caller, id, body)


@routes.delete("/webhook-endpoints/{id}", scope="webhooks:write")
async def delete_endpoint(caller: Caller, id: int) -> None:
    """Delete an endpoint and its delivery log; nothing more is sent to it."""
    await services.delete_endpoint(caller, id)


@routes.post("/webhook-endpoints/{id}/test", scope="webhooks:write", status=202, answers=DeliveryOut)
async def test_endpoint(caller: Caller, id: int) -> dict[str, Any]:
    """Send a ``ping`` to the endpoint, whatever it subscribes to and even while it is paused."""
    return await deliveries.send_ping(caller, id)


@routes.post("/webhook-endpoints/{id}/rotate-secret", scope="webhooks:write", status=200, answers=SecretRotated)
async def rotate_secret(caller: Caller, id: int) -> dict[str, Any]:
    """Replace the signing secret; for 24 hours deliveries are signed with the old one too."""
    return await services.rotate_secret(caller, id)


@routes.post("/webhook-endpoints/{id}/replay", scope="webhooks:write", status=202, answers=ReplayAnswer)
async def replay(caller: Caller, id: int, body: ReplayBody) -> dict[str, Any]:
    """Send again what failed, or all that was sent, since a time; a paused endpoint answers 409."""
    return await deliveries.replay(caller, id, body)
