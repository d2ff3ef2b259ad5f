"""Records of apps: as their developers see them, and as the marketplace lists them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from comanda_marketplace.models import AppStatus, Billing


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot; ``url`` is its largest size."""

    id: int
    url: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class App:
    """An app as its developer sees it, without secrets; ``price`` is per period or per unit.

    ``features`` are those that an administrator lets it grant.
    """

    id: int
    developer_id: int
    client_row_id: int
    client_id: str
    slug: str
    name: str
    category: str
    status: AppStatus
    rejection_reason: str | None
    scopes: Sequence[str]
    redirect_uris: Sequence[str]
    embed_url: str | None
    webhook_url: str | None
    webhook_events: Sequence[str]
    billing: Billing
    price: Decimal
    currency: str
    period_days: int
    trial_days: int
    features: Sequence[str]
    tagline: str
    description: str
    links: Mapping[str, str]
    contact_email: str | None
    submitted_at: datetime | None
    reviewed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    screenshots: Sequence[Picture] = ()

    @property
    def is_listed(self) -> bool:
        """Whether every owner can see and install it."""
        return self.status is AppStatus.APPROVED


@dataclass(frozen=True, slots=True)
class IssuedApp:
    """A new app with the secrets that are shown only once."""

    app: App
    client_secret: str = field(repr=False)
    webhook_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RotatedSecret:
    """A new secret, shown only once. Until ``old_secret_expires_at`` the old one is valid too."""

    id: int
    secret: str = field(repr=False)
    old_secret_expires_at: datetime


@dataclass(frozen=True, slots=True)
class RequestedScope:
    """A scope that an app asks for, and what it allows."""

    scope: str
    label: str


@dataclass(frozen=True, slots=True)
class ListedApp:
    """An app in the marketplace; ``installation_id`` is the reader's active installation, if any."""

    app: App
    developer: str
    requested_scopes: Sequence[RequestedScope]
    installation_id: int | None
