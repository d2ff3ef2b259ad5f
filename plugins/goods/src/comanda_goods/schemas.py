"""Requests: the brand and expiry fields of items, and brands."""

from datetime import date
from typing import Annotated, Any

from comanda.contracts import Body, Name, ShortText, Url, example
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

MIN_YEAR, MAX_YEAR = 1900, 2999


def _empty_to_none(text: str) -> str | None:
    return text or None


def _require_date_text(value: Any) -> Any:
    if isinstance(value, int | float):
        raise ValueError("must be a date such as 2026-02-28")
    return value


def _require_plausible_year(day: date) -> date:
    if not MIN_YEAR <= day.year <= MAX_YEAR:
        raise ValueError(f"must lie in the years {MIN_YEAR} to {MAX_YEAR}")
    return day


Day = Annotated[date, BeforeValidator(_require_date_text), AfterValidator(_require_plausible_year)]
Slug = Annotated[str, Field(max_length=100, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class BrandFields(BaseModel):
    """The brand of an item. An empty name means no brand."""

    brand: Annotated[ShortText, AfterValidator(_empty_to_none)] | None = None


class ExpiryFields(BaseModel):
    """The last day on which an item is sold, in the store's time zone."""

    expires_on: Day | None = None


class BrandBody(Body):
    """A brand to create before any item names it. Without a ``slug``, one is derived from the name."""

    model_config = example({"name": "Alba", "logo_url": "https://shop.example.com/alba.svg"})

    name: Name
    slug: Slug | None = None
    logo_url: Url | None = None


class BrandChange(Body):
    """Changes to a brand. A new name is written to every item of the brand; ``"logo_url": null`` removes the logo."""

    model_config = example({"name": "Alba"})

    name: Name | None = None
    slug: Slug | None = None
    logo_url: Url | None = None
