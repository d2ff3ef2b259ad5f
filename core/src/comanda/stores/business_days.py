"""Days of a store: business days, which begin at the store's cut-off hour, and calendar days, from midnight."""

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

MIDNIGHT: Final = 0
_DAY: Final = timedelta(days=1)


class DayKind(StrEnum):
    """Which days a list or a report means."""

    BUSINESS = "business"
    CALENDAR = "calendar"


def format_time_of_day(minutes: int) -> str:
    """Return minutes from midnight as a time: 240 as 04:00."""
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}"


def get_day(moment: datetime, zone: ZoneInfo, start_minutes: int = MIDNIGHT) -> date:
    """Return the day to which a moment belongs: the last one that has begun. It never goes back as time goes on."""
    day = moment.astimezone(zone).date()
    # A clock that is set back around the start shows an earlier date again, while its day goes on.
    for each in (day + _DAY, day):
        if moment >= get_day_start(each, zone, start_minutes):
            return each
    return day - _DAY


def get_day_start(day: date, zone: ZoneInfo, start_minutes: int = MIDNIGHT) -> datetime:
    """Return the moment at which a day begins, in UTC.

    ``start_minutes`` counts from midnight on the clock. A time that comes twice, as the clock is set back, is the first
    of the two; one that is skipped is as long after midnight as on other days.
    """
    return datetime.combine(day, time(*divmod(start_minutes, 60)), zone).astimezone(UTC)
