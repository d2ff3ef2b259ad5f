"""Days of a shop's own calendar: which of them gifts can be ordered for, and when an occasion comes round. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from comanda.contracts.opening_hours import Hours

DAY = timedelta(days=1)
LEAP_YEAR = 2000


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days on which a shop delivers: those on which it opens, from today up to ``days_ahead`` days after it."""

    zone: ZoneInfo
    hours: Hours | None
    days_ahead: int

    def today(self, now: datetime) -> date:
        """Tell which day it is at the shop."""
        return now.astimezone(self.zone).date()

    def last(self, now: datetime) -> date:
        """Tell the last day for which gifts can be ordered."""
        return self.today(now) + self.days_ahead * DAY

    def free(self, now: datetime) -> Iterator[date]:
        """List the days for which gifts can be ordered."""
        days = (self.today(now) + number * DAY for number in range(self.days_ahead + 1))
        return (day for day in days if self.fault(day, now) is None)

    def fault(self, day: date, now: datetime) -> str | None:
        """Say in a sentence why nothing can be delivered on a day, whoever else wants it; None where it can."""
        if day < self.today(now):
            return "This day has passed."
        if day > self.last(now):
            return f"Gifts can be ordered up to {self.last(now).isoformat()}."
        if self.delivered_from(day, now) is None:
            return "The shop is closed for today." if day == self.today(now) else f"The shop is closed on {day}."
        return None

    def delivered_from(self, day: date, now: datetime) -> datetime | None:
        """Tell from which moment on a gift can be under way on a day; None if the shop is closed or closes before."""
        if self.hours is None:
            return max(start_of(day, self.zone), now)
        return next(
            (max(opens, now) for opens, closes in self.hours.intervals_on(self.zone, day) if closes > now), None
        )


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment in UTC at which a day begins in a time zone."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def comes_round(month: int, day: int, since: date) -> date:
    """Tell when a day of the year is next, ``since`` included; the 29th of February is the 28th in most years."""
    this_year = _in_year(since.year, month, day)
    return this_year if this_year >= since else _in_year(since.year + 1, month, day)


def is_day_of_year(month: int, day: int) -> bool:
    """Tell whether a month has that day in some year."""
    try:
        date(LEAP_YEAR, month, day)
    except ValueError:
        return False
    return True


def _in_year(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, 2, 28)


def reminded_at(occasion: date, days_before: int, hour: int, zone: ZoneInfo) -> datetime:
    """Tell the moment in UTC at which an owner is reminded of an occasion on that date."""
    return datetime.combine(occasion - days_before * DAY, time(hour), zone).astimezone(UTC)
