"""Records of apps: as their developers see them, as the marketplace lists them, and as they are installed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from comanda.basics import Money
from pydantic import Field, PlainSerializer

from comanda_marketplace.models import AppStatus, Billing, BillingStatus, Category

PriceNumber = Annotated[Decimal, PlainSerializer(float, return_type=float)]
"""A price or a quantity, which may have six decimals, as a JSON number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot; ``url`` is its largest size."""

    id: int
    url: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class AppProfile:
    """What every owner may know of an app; ``price`` is per period or per unit."""

    id: int
    slug: str
    name: str
    category: Category
    tagline: str
    description: str
    links: Mapping[str, str]
    screenshots: Sequence[Picture]
    billing: Billing
    price: PriceNumber
    currency: str
    period_days: int
    trial_days: int
    scopes: Sequence[str]


@dataclass(frozen=True, slots=True)
class App(AppProfile):
    """An app as its developer sees it, without secrets. ``features`` are those that an administrator lets it grant."""

    developer_id: Annotated[int, Field(exclude=True)]
    client_row_id: Annotated[int, Field(exclude=True)]
    status: AppStatus
    rejection_reason: str | None
    client_id: str
    redirect_uris: Sequence[str]
    embed_url: str | None
    webhook_url: str | None
    webhook_events: Sequence[str]
    features: Sequence[str]
    contact_email: str | None
    submitted_at: datetime | None
    reviewed_at: datetime | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_listed(self) -> bool:
        """Whether every owner can see and install it."""
        return self.status is AppStatus.APPROVED


@dataclass(frozen=True, slots=True)
class IssuedApp(App):
    """A new app with its secrets, which are shown only once."""

    client_secret: str = field(repr=False)
    webhook_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RotatedAppSecret:
    """A new secret, shown only once. Until ``old_secret_expires_at`` the old one is valid too."""

    id: int
    secret: str = field(repr=False)
    old_secret_expires_at: datetime


@dataclass(frozen=True, slots=True)
class RequestedScope:
    """A scope that an app asks for, in words."""

    scope: str
    label: str


@dataclass(frozen=True, slots=True)
class ListedApp(AppProfile):
    """An app of the marketplace. ``installation_id`` is that of the reader's active installation, if any."""

    developer: str
    requested_scopes: Sequence[RequestedScope]
    is_embedded: bool
    authorization_url: str
    installation_id: int | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What an app charges: ``price`` per period of a ``recurring`` app, per unit of a ``usage`` app."""

    billing: Billing
    price: PriceNumber
    currency: str
    period_days: int


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """An installed app. ``terms`` are what you agreed to; ``new_terms`` are set if the app charges others differently.

    ``store_ids`` is null if it may use all of your stores. ``app_id`` is null for a program that is not in the
    marketplace.
    """

    id: int
    app_id: int | None
    name: str
    client_id: str
    scopes: Sequence[str]
    store_ids: Sequence[int] | None
    is_active: bool
    terms: Terms | None
    new_terms: Terms | None
    billing_status: BillingStatus
    monthly_cap: Money | None
    usage_this_month: Money | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    next_charge_at: datetime | None
    installed_at: datetime
    uninstalled_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppTotals:
    """What an app's developer may know of its installations: how many there are, and what they earned."""

    active_installations: int
    uninstalled: int
    past_due: int
    usage_charged: Money
    recurring_charged: Money


@dataclass(frozen=True, slots=True)
class Usage:
    """Charged usage. ``balance`` is the wallet's after the charge."""

    id: int
    quantity: PriceNumber
    unit_price: PriceNumber
    amount: Money
    balance: Money
    ref: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class UsageReceipt(Usage):
    """Charged usage; ``duplicate`` is true and the status 200 if its ``ref`` was charged before."""

    is_duplicate: Annotated[bool, Field(serialization_alias="duplicate")]


@dataclass(frozen=True, slots=True)
class PeriodCharge:
    """A paid period of a recurring app."""

    id: int
    period_start: datetime
    period_end: datetime
    amount: Money
    created_at: datetime
