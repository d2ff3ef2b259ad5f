"""The times for which guests can order ahead, and the time at which an order placed now will be ready."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.contracts import State, StoreTerms
from comanda.platform import runtime
from comanda.web import N_

from comanda_storefront import store_settings
from comanda_storefront.services import published_stores
from comanda_storefront.store_settings import OrderingSettings

STEP: Final = timedelta(minutes=15)
DAY: Final = timedelta(days=1)
# An order for a time that passed while it was on its way is one for now.
TOLERANCE: Final = timedelta(minutes=1)
# Guests who are in the store order for now.
FIELDS_OF_GUESTS_INSIDE: Final = frozenset({"table_number", "room_number"})
PASSED: Final = N_("This time has passed. Choose another one.")
TOO_FAR_AHEAD: Final = N_("This is too far ahead. Choose an earlier time.")


def can_order_ahead(code: str) -> bool:
    """Return whether guests can choose a time in a mode; in modes with slots they choose one of those."""
    mode = runtime.registry().fulfillment_modes.get(code)
    return (
        mode is not None
        and (mode.is_collection or mode.is_delivery)
        and not mode.is_scheduled
        and FIELDS_OF_GUESTS_INSIDE.isdisjoint(name for name, _ in mode.required_fields + mode.guest_fields)
    )


def is_fetched(code: str) -> bool:
    """Return whether guests come for their orders of a mode once they are ready."""
    mode = runtime.registry().fulfillment_modes.get(code)
    return mode is not None and not mode.is_delivery and can_order_ahead(code)


def get_time_error(zone: ZoneInfo, days_ahead: int, wanted: datetime) -> str | None:
    """Return why a time cannot be ordered for, or None."""
    now = clock.now()
    if wanted < now - TOLERANCE:
        return PASSED
    last = now.astimezone(zone).date() + days_ahead * DAY
    return TOO_FAR_AHEAD if wanted.astimezone(zone).date() > last else None


def get_ready_at(terms: StoreTerms, settings: OrderingSettings, now: datetime) -> datetime | None:
    """Return when an order placed now will be ready; None if the store does not say how long it takes."""
    minutes = settings.preparation_minutes + _get_delay_minutes(terms, now)
    return now + timedelta(minutes=minutes) if settings.preparation_minutes else None


def list_days(terms: StoreTerms, settings: OrderingSettings, now: datetime) -> list[date]:
    """List the days for which guests can order ahead."""
    today = now.astimezone(terms.zone).date()
    days = [today + number * DAY for number in range(settings.order_ahead_days + 1)]
    return [day for day in days if settings.order_ahead_days and list_times(terms, settings, day, now)]


def list_times(terms: StoreTerms, settings: OrderingSettings, day: date, now: datetime) -> list[datetime]:
    """List the times of a local day for which guests can order: each quarter of an hour while the store is open."""
    today = now.astimezone(terms.zone).date()
    if not settings.order_ahead_days or not today <= day <= today + settings.order_ahead_days * DAY:
        return []
    takes = timedelta(minutes=settings.preparation_minutes)
    earliest = now + takes + timedelta(minutes=_get_delay_minutes(terms, now))
    pace = terms.pace.at(now)
    if pace.status is State.PAUSED:
        if pace.until is None:
            return []
        earliest = max(earliest, pace.until)
    return [
        moment
        for opens, closes in _list_openings(terms, day)
        for moment in _iter_quarters(max(opens if terms.hours is None else opens + takes, earliest), closes)
    ]


def _get_delay_minutes(terms: StoreTerms, now: datetime) -> int:
    pace = terms.pace.at(now)
    return pace.delay_minutes if pace.status is State.BUSY else 0


def _list_openings(terms: StoreTerms, day: date) -> list[tuple[datetime, datetime]]:
    if terms.hours is not None:
        return terms.hours.intervals_on(terms.zone, day)
    midnights = [datetime.combine(each, time(), terms.zone).astimezone(UTC) for each in (day, day + DAY)]
    return [(midnights[0], midnights[1])]


def _iter_quarters(since: datetime, until: datetime) -> Iterator[datetime]:
    """Yield the quarters of hours from ``since`` to before ``until``. Offsets of time zones are whole quarters too."""
    seconds = int(STEP.total_seconds())
    moment = datetime.fromtimestamp(-(-since.timestamp() // seconds) * seconds, UTC)
    while moment < until:
        yield moment
        moment += STEP


async def list_order_times(slug: str, day: date | None) -> dict[str, Any]:
    """List the days for which guests can order, and the times of one, by default of the first. Raises ``NotFound``."""
    terms = (await published_stores.get_published_store(slug)).menu.terms
    settings, now = store_settings.get_settings(terms), clock.now()
    days = list_days(terms, settings, now)
    chosen = day or next(iter(days), None)
    times = list_times(terms, settings, chosen, now) if chosen is not None else []
    return {"days": days, "slots": [{"starts_at": moment, "is_free": True} for moment in times]}
