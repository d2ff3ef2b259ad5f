"""Days of a shop's local calendar: delivery days, and the dates and reminders of occasions. Pure functions."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from comanda.contracts import Hours

DAY = timedelta(days=1)
LEAP_YEAR = 2000


@dataclass(frozen=True, slots=True)
class DeliveryCalendar:
    """The delivery days of a shop: days on which it opens, from today up to ``days_ahead`` days later."""

    zone: ZoneInfo
    hours: Hours | None
    days_ahead: int

    def get_today(self, now: datetime) -> date:
        """Return the current day at the shop."""
        return now.astimezone(self.zone).date()

    def get_last_day(self, now: datetime) -> date:
        """Return the last day for which gifts can be ordered."""
        return self.get_today(now) + self.days_ahead * DAY

    def list_free_days(self, now: datetime) -> Iterator[date]:
        """Yield the days for which gifts can be ordered."""
        days = (self.get_today(now) + number * DAY for number in range(self.days_ahead + 1))
        return (day for day in days if self.find_fault(day, now) is None)

    def find_fault(self, day: date, now: datetime) -> str | None:
        """Return why nothing can be delivered on a day, regardless of its capacity; None if deliveries are possible."""
        if day < self.get_today(now):
            return "This day has passed."
        if day > self.get_last_day(now):
            return f"Gifts can be ordered up to {self.get_last_day(now).isoformat()}."
        if self.get_start_time(day, now) is None:
            return "The shop is closed for today." if day == self.get_today(now) else f"The shop is closed on {day}."
        return None

    def get_start_time(self, day: date, now: datetime) -> datetime | None:
        """Return the earliest delivery time on a day; None if the shop is closed or closes before ``now``."""
        if self.hours is None:
            return max(get_start_of_day(day, self.zone), now)
        return next(
            (max(opens, now) for opens, closes in self.hours.intervals_on(self.zone, day) if closes > now), None
        )


def get_start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """Return the time in UTC at which a day begins in a time zone."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def get_next_date(month: int, day: int, since: date) -> date:
    """Return the next date of a day of the year from ``since`` on; 29 February falls back to the 28th."""
    this_year = _to_date(since.year, month, day)
    return this_year if this_year >= since else _to_date(since.year + 1, month, day)


def is_day_of_year(month: int, day: int) -> bool:
    """Return whether a month has that day in any year."""
    try:
        date(LEAP_YEAR, month, day)
    except ValueError:
        return False
    return True


def _to_date(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, 2, 28)


def get_reminder_time(occasion: date, days_before: int, hour: int, zone: ZoneInfo) -> datetime:
    """Return the time in UTC at which an owner is reminded of an occasion on that date."""
    return datetime.combine(occasion - days_before * DAY, time(hour), zone).astimezone(UTC)
