"""Request and response models of endpoints."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, example
from pydantic import AliasChoices, BaseModel, Field

from comanda_webhooks.models import DisabledReason

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


class EndpointOut(BaseModel):
    """An endpoint. ``failure_count`` is the number of failed attempts since the last success.

    ``scopes`` are those of the token that registered it. Personal data outside them is null in its deliveries.
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
    """A new endpoint with its signing secret, which is shown only once."""

    secret: str


class SecretRotated(BaseModel):
    """A new signing secret, shown only once. Until ``old_secret_expires_at`` the old one signs deliveries too."""

    id: int
    secret: str
    old_secret_expires_at: datetime
