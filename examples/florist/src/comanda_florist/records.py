"""Records of flower shops, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.money import Money


@dataclass(frozen=True, slots=True)
class ShopRules:
    """The settings that apply to a shop; ``deliveries_per_day`` None means no limit."""

    deliveries_per_day: int | None
    days_ahead: int
    remembers_gifts: bool
    remind_days_before: int


@dataclass(frozen=True, slots=True)
class DeliveryDay:
    """A day with its capacity (None for no limit) and its taken deliveries; ``is_free`` if a gift can be ordered."""

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
    """A day of the year on which somebody receives flowers; ``next_on`` is its next date.

    ``remind_at`` is the owner's next reminder. ``order_id`` is the gift that it was created from.
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
    """A bouquet on sale; without ``season_months`` it is always in season."""

    id: int
    name: str
    description: str | None
    price: Money
    stem_count: int | None
    care_notes: str | None
    season_months: Sequence[int]
    is_in_season: bool


@dataclass(frozen=True, slots=True)
class Season:
    """The bouquets of a shop in a month."""

    shop: str
    currency: str
    month: int
    flowers: Sequence[Bouquet]


@dataclass(frozen=True, slots=True)
class OccasionList:
    """The first occasions of a shop, and how many it has."""

    occasions: Sequence[Occasion]
    total: int
