"""Records of the delivery log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_webhooks.models import DeliveryState


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
