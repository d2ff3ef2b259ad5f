"""Requests about apps and their installations: what developers and owners send, and filters of the marketplace."""

import re
from decimal import Decimal
from typing import Annotated, Literal

from comanda.contracts import Amount, Body, Count, ExactBody, ExactNumber, Name, ShortText, Text, example
from comanda.platform.photos import PhotoBody
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, WithJsonSchema

from comanda_marketplace.models import Billing, Category

# As programs print numbers, 1e-05 included.
NUMBER = re.compile(r"-?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e[+-]?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)
MAX_QUANTITY = Decimal(10) ** 12


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


def _parse_text(value: object) -> object:
    # Fields of forms are texts, and Decimal alone would read words and the digits of other scripts too.
    if not isinstance(value, str):
        return value
    if not NUMBER.fullmatch(value.strip()):
        raise ValueError("must be a number")
    return Decimal(value.strip())


def _clean_ref(text: str) -> str | None:
    if not text.isprintable():
        raise ValueError("must contain printable characters only")
    return text or None


class InstallationChange(Body):
    """Changes of an installation. ``monthly_cap`` is the most that reported usage may cost in a month; null is none."""

    model_config = example({"monthly_cap": 25})

    monthly_cap: Amount | None


class UsageBody(ExactBody):
    """Usage to charge. A report whose ``ref`` was charged before is answered with the first record."""

    model_config = example({"quantity": 3, "ref": "order-4711"})

    quantity: Annotated[
        ExactNumber,
        BeforeValidator(_parse_text),
        Field(gt=0, le=MAX_QUANTITY, decimal_places=6),
        WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
    ]
    ref: Annotated[str, Field(max_length=120), AfterValidator(_clean_ref)] | None = None


class SessionTokenOut(BaseModel):
    """A token that proves to an app's server whose page it is embedded in; valid for ``expires_in`` seconds."""

    token: str
    expires_in: int
