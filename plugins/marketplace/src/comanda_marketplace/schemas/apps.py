"""Apps on the wire: what developers send and read, and what the marketplace lists."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from comanda.contracts.fields import Count, ExactBody, ExactNumber, Name, ShortText, Text, example
from comanda.contracts.wire import MoneyNumber
from comanda.photos.uploads import PhotoBody
from pydantic import AfterValidator, BaseModel, Field, PlainSerializer

from comanda_marketplace.models import AppStatus, Billing


class Category(StrEnum):
    """What an app is for."""

    ACCOUNTING = "accounting"
    ANALYTICS = "analytics"
    DELIVERY = "delivery"
    INVENTORY = "inventory"
    LOYALTY = "loyalty"
    MARKETING = "marketing"
    OPERATIONS = "operations"
    STAFF = "staff"
    OTHER = "other"


def _check_email(text: str) -> str:
    local, _, domain = text.rpartition("@")
    if not local or "." not in domain or any(mark.isspace() for mark in text):
        raise ValueError("must be an e-mail address")
    return text


Email = Annotated[ShortText, Field(max_length=254), AfterValidator(_check_email)]
LinkName = Literal["website", "support", "documentation", "privacy", "terms"]
Url = Annotated[str, Field(max_length=2048)]
AppName = Annotated[Name, Field(max_length=80)]
Tagline = Annotated[ShortText, Field(max_length=140)]
Description = Annotated[Text, Field(max_length=10_000)]
Scopes = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=50)]
RedirectUris = Annotated[list[Url], Field(max_length=20)]
Events = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=200)]
Price = Annotated[ExactNumber, Field(ge=0, le=1_000_000, decimal_places=6)]
PeriodDays = Annotated[Count, Field(ge=1, le=366)]
TrialDays = Annotated[Count, Field(le=366)]
Links = Annotated[dict[LinkName, Url], Field(max_length=5)]
PriceNumber = Annotated[Decimal, PlainSerializer(float, return_type=float)]


class AppBody(ExactBody):
    """An app to register. ``price`` is per period of a ``recurring`` app, and per unit of a ``usage`` app."""

    model_config = example(
        {
            "name": "Loyalty Cards",
            "category": "loyalty",
            "scopes": ["orders:read"],
            "redirect_uris": ["https://loyalty.example.com/callback"],
            "billing": "usage",
            "price": 0.05,
        }
    )

    name: AppName
    category: Category = Category.OTHER
    scopes: Scopes = []
    redirect_uris: RedirectUris
    embed_url: Url | None = None
    webhook_url: Url | None = None
    webhook_events: Events = []
    billing: Billing = Billing.FREE
    price: Price | None = None
    period_days: PeriodDays = 30
    trial_days: TrialDays = 0
    tagline: Tagline = ""
    description: Description = ""
    links: Links = {}
    contact_email: Email | None = None


class AppChange(ExactBody):
    """Changes of an app. Omitted fields stay; null removes ``embed_url``, ``webhook_url`` and ``contact_email``."""

    model_config = example({"tagline": "Stamps for regulars"})

    name: AppName | None = None
    category: Category | None = None
    scopes: Scopes | None = None
    redirect_uris: RedirectUris | None = None
    embed_url: Url | None = None
    webhook_url: Url | None = None
    webhook_events: Events | None = None
    billing: Billing | None = None
    price: Price | None = None
    period_days: PeriodDays | None = None
    trial_days: TrialDays | None = None
    tagline: Tagline | None = None
    description: Description | None = None
    links: Links | None = None
    contact_email: Email | None = None


class ScreenshotBody(PhotoBody):
    """A screenshot, and what it shows."""

    model_config = example({"image_base64": "iVBORw0KGgo=", "alt": "The stamp card of a guest"})

    alt: ShortText = ""


class ScreenshotOut(BaseModel):
    """A screenshot; ``url`` is its largest size."""

    id: int
    url: str
    width: int
    height: int
    alt: str


class _AppOut(BaseModel):
    id: int
    slug: str
    name: str
    category: Category
    tagline: str
    description: str
    links: dict[str, str]
    screenshots: list[ScreenshotOut]
    billing: Billing
    price: PriceNumber
    currency: str
    period_days: int
    trial_days: int
    scopes: list[str]


class DeveloperAppOut(_AppOut):
    """An app as its developer sees it. ``features`` are those that an administrator lets it grant to owners."""

    status: AppStatus
    rejection_reason: str | None
    client_id: str
    redirect_uris: list[str]
    embed_url: str | None
    webhook_url: str | None
    webhook_events: list[str]
    features: list[str]
    contact_email: str | None
    submitted_at: datetime | None
    reviewed_at: datetime | None
    created_at: datetime
    updated_at: datetime


class AppRegistered(DeveloperAppOut):
    """A new app with its secrets, which are shown only once."""

    client_secret: str
    webhook_secret: str


class AppSecretRotated(BaseModel):
    """A new secret, shown only once. Until ``old_secret_expires_at`` the old one is valid too."""

    id: int
    secret: str
    old_secret_expires_at: datetime


class AppStats(BaseModel):
    """What an app's developer may know of its installations: how many there are, and what they earned."""

    active_installations: int
    uninstalled: int
    past_due: int
    usage_charged: MoneyNumber
    recurring_charged: MoneyNumber


class RequestedScopeOut(BaseModel):
    """A scope that an app asks for, in words."""

    scope: str
    label: str


class ListedAppOut(_AppOut):
    """An app of the marketplace. ``installation_id`` is that of your active installation, if any."""

    developer: str
    requested_scopes: list[RequestedScopeOut]
    is_embedded: bool
    authorization_url: str
    installation_id: int | None


class ListingQuery(BaseModel):
    """Filters for apps: words in the name or tagline, and the category."""

    search: Annotated[ShortText, Field(max_length=100)] | None = None
    category: Category | None = None
