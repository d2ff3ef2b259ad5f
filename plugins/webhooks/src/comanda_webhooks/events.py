"""What webhooks announce about themselves."""

from comanda.contracts.events import Event

from comanda_webhooks.matching import PING


class Ping(Event):
    """The test action was used. Sent to that endpoint alone, whatever it subscribes to and even while it is paused."""

    name = PING
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "message": "If you can read this, your endpoint works."}

    endpoint_id: int
    message: str = "If you can read this, your endpoint works."


class EndpointFailing(Event):
    """An endpoint has answered nothing but failures for half the time after which it is disabled. Sent once."""

    name = "webhook_endpoint.failing"
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "url": "https://hooks.example.com/comanda", "failure_count": 14}

    endpoint_id: int
    url: str
    failure_count: int


class EndpointDisabled(Event):
    """An endpoint was disabled: its receiver is ``gone`` (it answered 410) or was ``failing`` for too long.

    Not sent when its owner pauses it.
    """

    name = "webhook_endpoint.disabled"
    scope = "webhooks:read"
    sample = {"endpoint_id": 12, "url": "https://hooks.example.com/comanda", "reason": "failing"}

    endpoint_id: int
    url: str
    reason: str
