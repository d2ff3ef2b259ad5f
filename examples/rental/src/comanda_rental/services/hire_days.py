"""The days of a hire, and what they cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from comanda.basics import clock, to_minor
from comanda.contracts import Charge, Contribution, LinePrice, OrderRequest, Problem, StoreTerms
from comanda.stores import get_store_settings

from comanda_rental.store_settings import HireSettings

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HirePeriod:
    """The days of a hire; both count."""

    first_day: date
    last_day: date

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last_day - self.first_day) // DAY + 1

    @property
    def label(self) -> str:
        """How many days it has, for people."""
        return format_days(self.days)


@dataclass(frozen=True, slots=True)
class HireTerms:
    """What a shop's owner has decided, kept in memory with its menu."""

    deposit_minor: int
    max_days: int


async def load_terms(terms: StoreTerms) -> HireTerms:
    """Load the hire terms of a shop."""
    settings = await get_store_settings(HireSettings, terms.owner_id, terms.id)
    return HireTerms(to_minor(settings.deposit, terms.currency), settings.max_days)


def price_by_day(request: OrderRequest, hire: HireTerms) -> Mapping[int, LinePrice]:
    """Return the prices of lines: that of one day on the menu, times the days of the hire."""
    period = get_period(request)
    if period is None or period.days > hire.max_days:
        return {}
    return {line.position: LinePrice(line.unit_price_minor * period.days, period.label) for line in request.lines}


def validate_days(request: OrderRequest, hire: HireTerms) -> Contribution | None:
    """Return what is wrong with the days of a hire, and its deposit."""
    period = get_period(request)
    today = clock.now().astimezone(request.terms.zone).date()
    if period is None:
        # A day that is missing or invalid has its own error; two days in the wrong order have none yet.
        return _find_wrong_order(request)
    if period.first_day < today and request.amends is None:
        return Contribution(problems=[Problem("hire_from", "The first day of the hire has passed.")])
    if period.days > hire.max_days:
        text = f"Tools can be hired for at most {format_days(hire.max_days)}; this hire has {period.days}."
        return Contribution(problems=[Problem("hire_until", text)])
    return Contribution(charges=_get_deposit(request, hire))


def get_period(request: OrderRequest) -> HirePeriod | None:
    """Return the days of a hire, or None unless both are given, the first one first."""
    first_day, last_day = (request.fields.get(name) for name in ("hire_from", "hire_until"))
    if first_day is None or last_day is None or last_day < first_day:
        return None
    return HirePeriod(date.fromisoformat(first_day), date.fromisoformat(last_day))


def format_days(days: int) -> str:
    """Return a number of days for people."""
    return "1 day" if days == 1 else f"{days} days"


def _find_wrong_order(request: OrderRequest) -> Contribution | None:
    if {"hire_from", "hire_until"} <= request.fields.keys():
        return Contribution(problems=[Problem("hire_until", "The last day must not be before the first.")])
    return None


def _get_deposit(request: OrderRequest, hire: HireTerms) -> list[Charge]:
    deposit_minor = hire.deposit_minor * sum(line.quantity for line in request.lines)
    return [Charge("deposit", "Deposit", deposit_minor)] if deposit_minor else []
