"""Fields of bouquets, and of orders that are delivered as gifts."""

from datetime import date
from typing import Annotated

from comanda.contracts import Count, Name, Text
from pydantic import AfterValidator, BaseModel, Field

Month = Annotated[Count, Field(ge=1, le=12)]


def _sort_months(months: list[int]) -> list[int]:
    return sorted(set(months))


class BouquetFields(BaseModel):
    """Fields of a bouquet in addition to name and price; without ``season_months`` it is available all year."""

    stem_count: Count | None = None
    care_notes: Text | None = None
    season_months: Annotated[list[Month], Field(max_length=12), AfterValidator(_sort_months)] = []


class GiftFields(BaseModel):
    """Fields of a gift in addition to the address."""

    recipient_name: Name
    card_message: Annotated[Text, Field(max_length=300)] | None = None


class DayFields(BaseModel):
    """The day on which a gift is delivered, a date of the shop's local calendar."""

    delivery_day: date
