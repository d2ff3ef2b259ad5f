"""Records of endpoints."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_webhooks.models import DisabledReason


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
