"""Request and response bodies of guests and segments."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, ShortText, example
from comanda.contracts.wire import MoneyNumber
from pydantic import AfterValidator, BaseModel, Field

from comanda_customers.services.search import normalize_text
from comanda_customers.services.segments import Segment


def _deduplicate(tags: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(normalize_text(tag), tag)
    return list(first.values())


Tags = Annotated[list[Annotated[Name, Field(max_length=50)]], Field(max_length=20), AfterValidator(_deduplicate)]


class GuestQuery(BaseModel):
    """Which guests to list: those in a segment, or whose name, phone number or e-mail contains a text."""

    segment: Segment | None = None
    search: Annotated[ShortText, Field(max_length=100)] = ""


class GuestChange(Body):
    """Guest fields to update; fields left out are unchanged. ``name`` null restores the name from the orders.

    Of tags that differ only in case or accents, the first is kept.
    """

    model_config = example({"tags": ["regular"]})

    tags: Tags | None = None
    name: Name | None = None


class GuestOut(BaseModel):
    """A person who ordered at the store, with totals over all orders except cancelled ones.

    ``visits`` counts business days. ``phone`` is in E.164, or bare digits if the country is unknown. ``segment`` is
    null for a guest in no segment.
    """

    id: int
    name: str | None
    phone: str | None
    email: str | None
    visits: int
    orders: int
    total_spent: MoneyNumber
    avg_order: MoneyNumber
    first_seen_at: datetime
    last_seen_at: datetime
    tags: list[str]
    segment: Segment | None


class SegmentOut(BaseModel):
    """The number of guests in a segment and their total spent, in the store's currency."""

    key: Segment
    label: str
    count: int
    total_spent: MoneyNumber
