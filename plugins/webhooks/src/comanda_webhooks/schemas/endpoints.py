"""Requests about endpoints."""

from typing import Annotated

from comanda.contracts import Body, example
from pydantic import AliasChoices, Field

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
