"""Request bodies and filters of guests."""

from typing import Annotated

from comanda.contracts import Body, Name, ShortText, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_customers.services.guest_list.search import normalize_text
from comanda_customers.services.guest_list.segments import Segment


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
