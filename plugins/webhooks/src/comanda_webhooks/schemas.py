"""Requests about endpoints, deliveries and replays, and arguments of tools."""

from typing import Annotated, Literal

from comanda.contracts import Arguments, Body, Moment, example
from pydantic import AliasChoices, BaseModel, Field

from comanda_webhooks.models import DeliveryState

Url = Annotated[str, Field(max_length=2048, description="A public address that begins with https://.")]
Patterns = Annotated[
    list[Annotated[str, Field(max_length=100)]],
    Field(max_length=200, description="Event names, groups such as `subscription.*`, or `*` for all."),
]


class EndpointBody(Body):
    """An endpoint to create."""

    model_config = example({"url": "https://shop.example.com/webhooks", "events": ["order.created", "order.paid"]})

    url: Url
    events: Patterns


class EndpointChange(Body):
    """Changes to an endpoint. Omitted fields stay as they are; ``is_paused`` is accepted for ``paused``."""

    model_config = example({"paused": True})

    url: Url | None = None
    events: Patterns | None = None
    paused: bool | None = Field(default=None, validation_alias=AliasChoices("paused", "is_paused"))


class DeliveryQuery(BaseModel):
    """Filters for a list of deliveries."""

    status: DeliveryState | None = None
    event: Annotated[str, Field(max_length=100)] | None = None


class ReplayBody(Body):
    """The deliveries to send again: those queued from ``since`` on, and before ``until`` if given.

    ``failed`` selects deliveries that failed or wait for another attempt, unless a redelivery is pending or succeeded;
    ``all`` also selects delivered ones.
    """

    model_config = example({"since": "2026-07-28T00:00:00+00:00", "status": "failed"})

    since: Moment
    until: Moment | None = None
    status: Literal["failed", "all"] = "failed"


class EventsArguments(Arguments):
    """Filter for the events to list."""

    group: Annotated[
        str | None,
        Field(max_length=100, description="Only events of this group, such as 'order' or 'order.*'; all if omitted."),
    ] = None
