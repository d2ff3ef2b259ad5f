"""Endpoints and their deliveries on the wire."""

from datetime import datetime
from typing import Annotated, Any, Literal

from comanda.contracts.fields import Body, Moment, example
from pydantic import AliasChoices, BaseModel, Field

from comanda_webhooks.models import DeliveryState, DisabledReason

Url = Annotated[str, Field(max_length=2048, description="A public address that begins with https://.")]
Patterns = Annotated[
    list[Annotated[str, Field(max_length=100)]],
    Field(max_length=200, description="Event names, groups such as `subscription.*`, or `*` for all."),
]


class EndpointBody(Body):
    """A new endpoint."""

    model_config = example({"url": "https://shop.example.com/webhooks", "events": ["order.created", "order.paid"]})

    url: Url
    events: Patterns


class EndpointChange(Body):
    """What to change of an endpoint; fields left out stay as they are. ``is_paused`` is read as ``paused``."""

    model_config = example({"paused": True})

    url: Url | None = None
    events: Patterns | None = None
    paused: bool | None = Field(default=None, validation_alias=AliasChoices("paused", "is_paused"))


class EndpointOut(BaseModel):
    """An endpoint. ``failure_count`` counts failed attempts since the last success; the secret is never shown again.

    ``scopes`` are those of the token that registered it: without them personal data in its deliveries is null.
    """

    id: int
    url: str
    events: list[str]
    scopes: list[str]
    is_paused: bool
    disabled_reason: DisabledReason | None
    last_success_at: datetime | None
    last_failure_at: datetime | None
    failure_count: int
    created_at: datetime


class EndpointCreated(EndpointOut):
    """A new endpoint with its signing secret, which is shown this once."""

    secret: str


class SecretRotated(BaseModel):
    """A new signing secret, shown this once; until ``old_secret_expires_at`` the old one signs deliveries too."""

    id: int
    secret: str
    old_secret_expires_at: datetime


class DeliveryQuery(BaseModel):
    """Which deliveries to list."""

    status: DeliveryState | None = None
    event: Annotated[str, Field(max_length=100)] | None = None


class DeliveryOut(BaseModel):
    """One event on its way to the endpoint.

    ``webhook_id`` is the header of that name; ``attempts_made`` counts requests so far, ``http_status`` is what the
    last one answered. ``redelivered_from`` is the delivery that the event first came with. A ``pending`` delivery
    without ``next_attempt_at`` waits until its endpoint is resumed. A ``superseded`` one was still being tried when it
    was sent again, and is not tried any more.
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
    """One request. Without an ``http_status`` no answer came, and ``error`` says why."""

    number: int
    http_status: int | None
    error: str | None
    response_snippet: str
    duration_ms: int
    attempted_at: datetime


class DeliveryDetail(DeliveryOut):
    """A delivery with what was sent, null when that has been pruned, and every attempt, oldest first."""

    payload: dict[str, Any] | None
    attempts: list[AttemptOut]


class ReplayBody(Body):
    """Which deliveries to send again: those queued since ``since``, and before ``until`` if it is given.

    ``failed`` takes what failed or waits for another attempt, unless a redelivery of it is on its way or has arrived;
    ``all`` also what arrived.
    """

    model_config = example({"since": "2026-07-28T00:00:00+00:00", "status": "failed"})

    since: Moment
    until: Moment | None = None
    status: Literal["failed", "all"] = "failed"


class ReplayAnswer(BaseModel):
    """How many deliveries were queued; with ``has_more`` call again for the rest."""

    replayed: int
    has_more: bool
