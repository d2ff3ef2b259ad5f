"""The events of webhook endpoints."""

from comanda.contracts import Event

from comanda_webhooks.services.event_patterns import PING_EVENT


class Ping(Event):
    """A test event was requested. Sent to that endpoint only, whatever its subscriptions, even while it is paused."""

    name = PING_EVENT
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "message": "If you can read this, your endpoint works."}

    endpoint_id: int
    message: str = "If you can read this, your endpoint works."


class EndpointFailing(Event):
    """An endpoint has only failed for half the time after which it is disabled. Sent once."""

    name = "webhook_endpoint.failing"
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "url": "https://hooks.example.com/comanda", "failure_count": 14}

    endpoint_id: int
    url: str
    failure_count: int


class EndpointDisabled(Event):
    """An endpoint was disabled: its receiver is ``gone`` (it answered 410) or was ``failing`` for too long.

    Not sent when the owner pauses it.
    """

    name = "webhook_endpoint.disabled"
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "url": "https://hooks.example.com/comanda", "reason": "failing"}

    endpoint_id: int
    url: str
    reason: str
