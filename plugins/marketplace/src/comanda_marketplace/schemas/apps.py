"""Requests about apps: what developers send, and filters of the marketplace."""

from typing import Annotated, Literal

from comanda.contracts import Count, ExactBody, ExactNumber, Name, ShortText, Text, example
from comanda.platform.photos import PhotoBody
from pydantic import AfterValidator, BaseModel, Field

from comanda_marketplace.models import Billing, Category


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


class ListingQuery(BaseModel):
    """Filters for apps: words in the name or tagline, and the category."""

    search: Annotated[ShortText, Field(max_length=100)] | None = None
    category: Category | None = None
