"""Windows of time on days of the week, such as lunch or happy hour, and when they begin and end.

They are intervals of opening hours: one belongs to the day on which it begins, and clocks that change have the effect
that they have there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from operator import not_
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from comanda.contracts import opening_hours
from comanda.contracts.opening_hours import Hours, Opening
from comanda.contracts.stores.verticals import Orderability

TIME: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
DAY: Final = timedelta(days=1)
ALL_DAY: Final = (0, 24 * 60)
# Days within which most windows begin or end, and within which all do that leave a gap in the week, even if clocks skip
# a gap or a window once.
SOON, HORIZON = 2, 21


class Weekday(StrEnum):
    """A day of the week, in their order."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"
    SUN = "sun"


def sort_days(days: list[Weekday]) -> list[Weekday]:
    """Return each of these days once, in the order of the week."""
    return [day for day in Weekday if day in days]


def _check_time(text: str) -> str:
    if not re.match(TIME, text):
        raise ValueError("must be a time of day such as 18:30")
    return text


Days = Annotated[list[Weekday], Field(max_length=len(Weekday)), AfterValidator(sort_days)]
# JSON Schema's own format ``time`` has seconds and an offset.
TimeOfDay = Annotated[
    str, AfterValidator(_check_time), Field(json_schema_extra={"format": "time-of-day", "pattern": TIME})
]


class TimeWindow(BaseModel):
    """A time of day in the store's time zone; without ``days`` on each of them.

    It belongs to the day on which it begins. One whose ``until`` is not later than ``from`` ends on the next day.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    days: Days = Field(default=[], exclude_if=not_)
    from_: TimeOfDay = Field(alias="from")
    until: TimeOfDay


@dataclass(frozen=True, slots=True)
class WeeklyTimes:
    """The windows of a week, and the first and the last day on which one may begin."""

    hours: tuple[tuple[opening_hours.Minutes, ...], ...]
    first: date = date.min
    last: date = date.max

    def list_openings(self, zone: ZoneInfo, since: date, days: int) -> list[Opening]:
        """List the windows that begin within some days, joined where they touch."""
        hours = Hours(self.hours, {})
        found = [opening for day in self._list_days(since, days) for opening in hours.intervals_on(zone, day)]
        return opening_hours.join_openings(sorted(found))

    def _list_days(self, since: date, days: int) -> Iterator[date]:
        for number in range(days):
            day = since + number * DAY
            if self.first <= day <= self.last:
                yield day


def to_weekly_times(windows: Sequence[Mapping[str, Any]], first: date = date.min, last: date = date.max) -> WeeklyTimes:
    """Return the windows of each day of a week, from Monday on; without any, all of them are whole days."""
    if not windows:
        return WeeklyTimes(((ALL_DAY,),) * len(Weekday), first, last)
    week = tuple(
        tuple(
            opening_hours.to_minutes(each["from"], each["until"])
            for each in windows
            if not each.get("days") or day in each["days"]
        )
        for day in Weekday
    )
    return WeeklyTimes(week, first, last)


# What has the same windows is asked for at one moment, such as the items of a category.
@lru_cache(maxsize=256)
def find_state(times: WeeklyTimes, zone: ZoneInfo, moment: datetime) -> Orderability:
    """Return whether a moment in UTC is inside a window, and when that changes."""
    today = moment.astimezone(zone).date()
    # A window may last until the day after the one on which it began.
    near = times.list_openings(zone, today - 2 * DAY, SOON + 3)
    is_inside = any(start <= moment < end for start, end in near)
    # Where a week has no turn, the next one is at the first or the last day.
    for since, days in ((today, SOON), (today, HORIZON), (times.first, HORIZON), (times.last, HORIZON)):
        if since >= today and (turn := _find_turn(times, zone, moment, since, days)) is not None:
            return Orderability(is_inside, turn)
    return Orderability(is_inside)


def _find_turn(times: WeeklyTimes, zone: ZoneInfo, moment: datetime, since: date, days: int) -> datetime | None:
    """Return the first moment after another at which a window begins or ends within some days, or None."""
    if not date.min + 3 * DAY <= since <= date.max - (days + 3) * DAY:
        return None
    lower, upper = (_to_midnight(each, zone) for each in (since - DAY, since + days * DAY))
    openings = times.list_openings(zone, since - 3 * DAY, days + 4)
    turns = (turn for opening in openings for turn in opening if max(moment, lower) < turn < upper)
    return min(turns, default=None)


def _to_midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
