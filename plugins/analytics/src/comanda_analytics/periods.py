"""Days of a store's calendar, and the moments at which they begin."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from comanda.errors import ValidationFailed

MAX_DAYS: Final = 366
DEFAULT_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class Period:
    """A range of days, the first and the last included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Period":
        """As many days, right before these."""
        return Period(self.first - timedelta(days=self.days), self.first - timedelta(days=1))

    def dates(self) -> list[date]:
        """List the days."""
        return [self.first + timedelta(days=number) for number in range(self.days)]

    def bounds(self, zone: ZoneInfo) -> list[datetime]:
        """List the moments at which the days begin, in UTC, and the one at which the last ends."""
        midnights = [*self.dates(), self.last + timedelta(days=1)]
        return [datetime.combine(day, time(), zone).astimezone(UTC) for day in midnights]


def period(first: date | None, last: date | None, today: date) -> Period:
    """Complete a range: to today, from 29 days before its last.

    Raises ``ValidationFailed`` for a range that runs backwards or has more than ``MAX_DAYS`` days.
    """
    last = today if last is None else last
    first = last - timedelta(days=DEFAULT_DAYS - 1) if first is None else first
    if first > last:
        raise ValidationFailed({"from": ["Must not be after to."]})
    if (last - first).days >= MAX_DAYS:
        raise ValidationFailed({"from": [f"A report covers {MAX_DAYS} days at most."]})
    return Period(first, last)
