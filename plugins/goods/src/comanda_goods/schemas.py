"""Goods on the wire: what items say of themselves, and brands."""

from datetime import date
from typing import Annotated, Any

from comanda.contracts.fields import Body, Name, ShortText, example
from comanda.menu.schemas import Url
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

FIRST_YEAR, LAST_YEAR = 1900, 2999


def _or_none(text: str) -> str | None:
    return text or None


def _written_out(value: Any) -> Any:
    if isinstance(value, int | float):
        raise ValueError("must be a date such as 2026-02-28")
    return value


def _believable(day: date) -> date:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"must lie in the years {FIRST_YEAR} to {LAST_YEAR}")
    return day


Day = Annotated[date, BeforeValidator(_written_out), AfterValidator(_believable)]
Slug = Annotated[str, Field(max_length=100, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class BrandFields(BaseModel):
    """Who makes an item; a blank name is none."""

    brand: Annotated[ShortText, AfterValidator(_or_none)] | None = None


class ExpiryFields(BaseModel):
    """The last day on which an item may be sold, in the time zone of its store."""

    expires_on: Day | None = None


class BrandOut(BaseModel):
    """A brand of a store; ``items_count`` counts inactive and sold-out items too."""

    id: int
    name: str
    slug: str
    logo_url: str | None
    items_count: int


class BrandBody(Body):
    """A brand to write down before any item names it. A ``slug`` left out is made from the name."""

    model_config = example({"name": "Alba", "logo_url": "https://shop.example.com/alba.svg"})

    name: Name
    slug: Slug | None = None
    logo_url: Url | None = None


class BrandChange(Body):
    """What to change of a brand; ``null`` takes the logo away. A new name is written into every item of the brand."""

    model_config = example({"name": "Alba"})

    name: Name | None = None
    slug: Slug | None = None
    logo_url: Url | None = None
