"""What a flower shop sends and takes."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count, Name, ShortText, Text
from pydantic import AfterValidator, BaseModel, Field

Month = Annotated[Count, Field(ge=1, le=12)]
DayOfMonth = Annotated[Count, Field(ge=1, le=31)]
Phone = Annotated[ShortText, Field(max_length=50)]


def _each_once(months: list[int]) -> list[int]:
    return sorted(set(months))


class BouquetFields(BaseModel):
    """What is said of a bouquet beside its name and price; without ``season_months`` it is to be had all year."""

    stem_count: Count | None = None
    care_notes: Text | None = None
    season_months: Annotated[list[Month], Field(max_length=12), AfterValidator(_each_once)] = []


class GiftFields(BaseModel):
    """What the shop must know of a gift beside the address."""

    recipient_name: Name
    card_message: Annotated[Text, Field(max_length=300)] | None = None


class DayFields(BaseModel):
    """The day on which a gift is delivered, a date of the shop's own calendar."""

    delivery_day: date


class ShopSettings(BaseModel):
    """How a shop delivers and reminds; ``deliveries_per_day`` null is any number."""

    deliveries_per_day: int | None
    days_ahead: int
    remembers_gifts: bool
    remind_days_before: int


class ShopSettingsChange(Body):
    """What to change; fields left out stay as they are, null for ``deliveries_per_day`` takes the bound away."""

    deliveries_per_day: Annotated[Count, Field(ge=1, le=10_000)] | None = None
    days_ahead: Annotated[Count, Field(ge=1, le=365)] | None = None
    remembers_gifts: bool | None = None
    remind_days_before: Annotated[Count, Field(le=60)] | None = None


class DaysQuery(Body):
    """Which days to list: so many from one on, from today unless another is named."""

    first: date | None = None
    count: Annotated[int, Field(ge=1, le=60)] = 14


class PublicDay(BaseModel):
    """A day as customers see it. ``is_free`` says that a gift can be ordered for it now."""

    day: date
    is_free: bool


class DayOut(PublicDay):
    """A day, how many deliveries it takes (null for any number) and how many it has."""

    capacity: int | None
    taken: int


class PublicDays(BaseModel):
    """Days of the shop's own calendar, first first."""

    timezone: str
    days: list[PublicDay]


class DaysOut(BaseModel):
    """Days of the shop's own calendar, first first, and how full they are."""

    timezone: str
    days: list[DayOut]


class OccasionBody(Body):
    """A day of the year on which somebody gets flowers."""

    recipient_name: Name
    what: Name
    month: Month
    day: DayOfMonth
    remind_days_before: Annotated[Count, Field(le=60)] | None = None
    phone: Phone | None = None
    note: Text | None = None


class OccasionChange(Body):
    """What to change of an occasion; fields left out stay as they are, an empty text clears an optional one."""

    recipient_name: Name | None = None
    what: Name | None = None
    month: Month | None = None
    day: DayOfMonth | None = None
    remind_days_before: Annotated[Count, Field(le=60)] | None = None
    phone: Phone | None = None
    note: Text | None = None


class OccasionOut(BaseModel):
    """An occasion; ``next_on`` is when it is next, ``remind_at`` when its owner is told next.

    ``order_id`` names the gift that it was remembered from, null for one that the owner wrote down.
    """

    id: int
    recipient_name: str
    what: str
    month: int
    day: int
    next_on: date
    remind_days_before: int
    remind_at: datetime
    phone: str | None
    note: str | None
    order_id: int | None
    created_at: datetime
