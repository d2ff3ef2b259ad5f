"""Records of flower shops, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from comanda.basics import Money
from pydantic import Field


@dataclass(frozen=True, slots=True)
class ShopRules:
    """Settings for deliveries and reminders; ``deliveries_per_day`` null means no limit."""

    deliveries_per_day: int | None
    days_ahead: int
    remembers_gifts: bool
    remind_days_before: int


@dataclass(frozen=True, slots=True)
class DeliveryDay:
    """A day with its capacity (null for no limit) and its taken deliveries; ``is_free`` if a gift can be ordered."""

    day: date
    is_free: bool
    capacity: int | None
    taken: int


@dataclass(frozen=True, slots=True)
class DeliveryDays:
    """Days of a shop's local calendar in order."""

    timezone: str
    days: Sequence[DeliveryDay]


@dataclass(frozen=True, slots=True)
class Occasion:
    """An occasion; ``next_on`` is its next date, ``remind_at`` the owner's next reminder.

    ``order_id`` is the gift that it was created from, null if the owner created it.
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


@dataclass(frozen=True, slots=True)
class Bouquet:
    """A bouquet on sale."""

    id: Annotated[int, Field(description="The item_id for an order's line.")]
    name: str
    description: str | None
    price: Annotated[Money, Field(description="In the result's currency.")]
    stem_count: int | None
    care_notes: str | None
    season_months: Annotated[Sequence[int], Field(description="Months of its season, 1 to 12; empty means all year.")]
    is_in_season: Annotated[bool, Field(exclude=True)]


@dataclass(frozen=True, slots=True)
class Season:
    """The bouquets of a shop in a month."""

    shop: str
    currency: str
    month: int
    flowers: Sequence[Bouquet]


@dataclass(frozen=True, slots=True)
class OccasionList:
    """A shop's occasions, next reminder first, and how many it has."""

    occasions: Sequence[Occasion]
    total: int
