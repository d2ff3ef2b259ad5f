"""The day for which an order is promised: working days of the store after its goods are taken in."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from comanda.contracts import DraftLine, OfferedItem, OrderRequest, StoreTerms
from comanda.stores import get_store_settings

from comanda_laundry.store_settings import LaundrySettings

# A store that is closed for longer has not said yet when it opens.
MAX_CLOSED_DAYS: Final = 60
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LaundryTerms:
    """After how many working days goods are ready whose service does not say it."""

    ready_days: int


async def load_terms(terms: StoreTerms) -> LaundryTerms:
    """Load what a laundry promises, which is kept with its menu."""
    settings = await get_store_settings(LaundrySettings, terms.owner_id, terms.id)
    return LaundryTerms(settings.ready_days)


def get_days(item: OfferedItem, terms: LaundryTerms) -> int:
    """Return after how many working days a service is ready; 0 for goods that are not cleaned."""
    days = item.attributes.get("ready_days")
    return terms.ready_days if days is None else int(days)


def find_ready_day(
    request: OrderRequest, terms: LaundryTerms, lines: Iterable[DraftLine], moment: datetime
) -> date | None:
    """Return the day for which lines that are taken in at a moment are promised; None if nothing is cleaned."""
    cleaned = [line for line in lines if is_cleaned(request.items[line.item_id], terms) and not line.is_heading]
    if not cleaned:
        return None
    days = max(get_days(request.items[line.item_id], terms) for line in cleaned)
    return add_working_days(request.terms, moment.astimezone(request.terms.zone).date(), days)


def is_cleaned(item: OfferedItem, terms: LaundryTerms) -> bool:
    """Return whether an item is a service that is done on what a customer brings."""
    return bool(item.attributes.get("is_by_weight")) or get_days(item, terms) > 0


def add_working_days(terms: StoreTerms, day: date, days: int) -> date:
    """Return the day that is so many working days of a store later; any day is one that has no opening hours."""
    hours = terms.hours
    if hours is None:
        return day + days * DAY
    for _ in range(days):
        following = [day + number * DAY for number in range(1, MAX_CLOSED_DAYS + 1)]
        day = next((each for each in following if hours.intervals_on(terms.zone, each)), following[0])
    return day
