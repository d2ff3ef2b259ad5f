"""The events that endpoints can subscribe to."""

from comanda.contracts import Caller, Routes

from comanda_webhooks.entitlements import WEBHOOKS
from comanda_webhooks.records.event_catalog import EventCatalog
from comanda_webhooks.services import event_catalog

routes = Routes("Webhooks", feature=WEBHOOKS.code)


@routes.get("/webhook-events", scope="webhooks:read")
async def list_events(caller: Caller) -> EventCatalog:
    """List the events of this installation: when each is sent, the JSON Schema of its data, and a sample."""
    return event_catalog.list_events()
