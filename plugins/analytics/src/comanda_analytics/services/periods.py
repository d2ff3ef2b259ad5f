"""Periods of a report: days of a store's calendar, and their boundaries in UTC."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from comanda.basics import ValidationFailed
from pydantic import Field

MAX_DAYS: Final = 366
DEFAULT_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """A range of days in the store's calendar, both inclusive."""

    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]

    @property
    def day_count(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1

    @property
    def previous(self) -> "ReportPeriod":
        """The preceding period of equal length."""
        return ReportPeriod(self.first - timedelta(days=self.day_count), self.first - timedelta(days=1))

    def list_dates(self) -> list[date]:
        """List the days."""
        return [self.first + timedelta(days=number) for number in range(self.day_count)]

    def list_boundaries(self, zone: ZoneInfo) -> list[datetime]:
        """List the beginnings of the days in UTC, and the end of the last one."""
        midnights = [*self.list_dates(), self.last + timedelta(days=1)]
        return [datetime.combine(day, time(), zone).astimezone(UTC) for day in midnights]


def resolve_period(first: date | None, last: date | None, today: date) -> ReportPeriod:
    """Return a period; by default up to today, and from 29 days before its last day.

    Raises ``ValidationFailed`` if the last day is before the first, or there are more than ``MAX_DAYS`` days.
    """
    last = today if last is None else last
    first = last - timedelta(days=DEFAULT_DAYS - 1) if first is None else first
    if first > last:
        raise ValidationFailed({"from": ["Must not be after to."]})
    if (last - first).days >= MAX_DAYS:
        raise ValidationFailed({"from": [f"A report can cover at most {MAX_DAYS} days."]})
    return ReportPeriod(first, last)
