"""Guests and segments on the wire."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Name, ShortText, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_customers.searching import fold
from comanda_customers.segments import Segment


def _distinct(tags: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for tag in tags:
        first.setdefault(fold(tag), tag)
    return list(first.values())


Tags = Annotated[list[Annotated[Name, Field(max_length=50)]], Field(max_length=20), AfterValidator(_distinct)]


class GuestQuery(BaseModel):
    """Which guests to list: of a segment, or with a text in their name, phone number or e-mail."""

    segment: Segment | None = None
    search: Annotated[ShortText, Field(max_length=100)] = ""


class GuestChange(Body):
    """What to change of a guest; what is left out stays. ``name`` null goes back to the name that orders give.

    Of tags that differ in case or accents only, the first is kept.
    """

    model_config = example({"tags": ["regular"]})

    tags: Tags | None = None
    name: Name | None = None


class GuestOut(BaseModel):
    """Whoever ordered at the store, added up over all orders but the cancelled ones.

    ``visits`` counts business days, ``orders`` orders. ``phone`` is in E.164, or bare digits where the country is
    unknown. ``segment`` is null for a guest who is in none.
    """

    id: int
    name: str | None
    phone: str | None
    email: str | None
    visits: int
    orders: int
    total_spent: float
    avg_order: float
    first_seen_at: datetime
    last_seen_at: datetime
    tags: list[str]
    segment: Segment | None


class SegmentOut(BaseModel):
    """How many guests are in a segment, and what they have spent, in the store's currency."""

    key: Segment
    label: str
    count: int
    total_spent: float
