"""Records of endpoints, of the delivery log and of the catalogue of events."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from comanda_webhooks.models import DeliveryState, DisabledReason
from comanda_webhooks.services.signing_secrets import OldSecret


@dataclass(frozen=True, slots=True)
class LoggedDelivery:
    """The delivery of one event to an endpoint.

    ``webhook_id`` is the value of the header ``webhook-id``; ``attempts_made`` is the number of requests so far and
    ``http_status`` the response to the last. ``redelivered_from`` is the original delivery of the event. A ``pending``
    delivery without ``next_attempt_at`` waits until its endpoint is resumed. A ``superseded`` one was still pending
    when it was redelivered, and is not retried.
    """

    id: int
    webhook_id: str
    event: str
    status: DeliveryState
    attempts_made: int
    http_status: int | None
    next_attempt_at: datetime | None
    redelivered_from: int | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class LoggedAttempt:
    """One request. Without an ``http_status`` there was no response, and ``error`` says why."""

    number: int
    http_status: int | None
    error: str | None
    response_snippet: str
    duration_ms: int
    attempted_at: datetime


@dataclass(frozen=True, slots=True)
class DetailedDelivery(LoggedDelivery):
    """A delivery with its payload, null once pruned, and all attempts, oldest first."""

    payload: Mapping[str, object] | None
    attempts: Sequence[LoggedAttempt]


@dataclass(frozen=True, slots=True)
class Replay:
    """The number of deliveries queued. If ``has_more`` is true, call again for the rest."""

    replayed: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """An endpoint. ``failure_count`` is the number of failed attempts since the last success.

    ``scopes`` are those of the token that registered it. Personal data outside them is null in its deliveries.
    """

    id: int
    url: str
    events: Sequence[str]
    scopes: Sequence[str]
    is_paused: bool
    disabled_reason: DisabledReason | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    failure_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class IssuedEndpoint(WebhookEndpoint):
    """A new endpoint with its signing secret, which is shown only once."""

    secret: str


@dataclass(frozen=True, slots=True)
class RotatedSecret:
    """A new signing secret, shown only once. Until ``old_secret_expires_at`` the old one signs deliveries too."""

    id: int
    secret: str
    old_secret_expires_at: datetime


@dataclass(frozen=True, slots=True)
class CatalogEvent:
    """An event. ``scope`` is what an app needs to receive it; schema and sample describe ``data`` in the body."""

    name: str
    group: str
    scope: str
    description: str
    data_schema: Mapping[str, object]
    sample: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EventCatalog:
    """Events, and all groups: ``order.*`` subscribes to the group ``order``, ``*`` to everything."""

    groups: Sequence[str]
    events: Sequence[CatalogEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPluginEndpoint:
    """An endpoint of ``plugin`` for an owner's events, known to it by ``reference``.

    It receives the events that match ``events`` but not ``excluded_events`` and whose scope is within ``scopes``,
    with personal data within these.
    ``name_key`` is the key of the event's name in bodies: ``event`` or ``type``.
    """

    plugin: str
    reference: int
    url: str
    events: Sequence[str]
    scopes: Collection[str]
    excluded_events: Sequence[str] = ()
    secret: str = field(repr=False)
    old_secrets: Sequence[OldSecret] = field(default=(), repr=False)
    name_key: str = "event"


@dataclass(frozen=True, slots=True)
class PluginEvent:
    """An event for one endpoint; ``name`` is that of a registered event. After one that ``is_last`` nothing is sent."""

    name: str
    data: Mapping[str, object]
    occurred_at: datetime
    is_last: bool = False
