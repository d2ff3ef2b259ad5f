"""Request and response models of deliveries, their attempts and replays."""

from datetime import datetime
from typing import Annotated, Any, Literal

from comanda.contracts.fields import Body, Moment, example
from pydantic import BaseModel, Field

from comanda_webhooks.models import DeliveryState


class DeliveryQuery(BaseModel):
    """Filters for a list of deliveries."""

    status: DeliveryState | None = None
    event: Annotated[str, Field(max_length=100)] | None = None


class DeliveryOut(BaseModel):
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


class AttemptOut(BaseModel):
    """One request. Without an ``http_status`` there was no response, and ``error`` says why."""

    number: int
    http_status: int | None
    error: str | None
    response_snippet: str
    duration_ms: int
    attempted_at: datetime


class DeliveryDetail(DeliveryOut):
    """A delivery with its payload, null once pruned, and all attempts, oldest first."""

    payload: dict[str, Any] | None
    attempts: list[AttemptOut]


class ReplayBody(Body):
    """The deliveries to send again: those queued from ``since`` on, and before ``until`` if given.

    ``failed`` selects deliveries that failed or wait for another attempt, unless a redelivery is pending or succeeded;
    ``all`` also selects delivered ones.
    """

    model_config = example({"since": "2026-07-28T00:00:00+00:00", "status": "failed"})

    since: Moment
    until: Moment | None = None
    status: Literal["failed", "all"] = "failed"


class ReplayAnswer(BaseModel):
    """The number of deliveries queued. If ``has_more`` is true, call again for the rest."""

    replayed: int
    has_more: bool
