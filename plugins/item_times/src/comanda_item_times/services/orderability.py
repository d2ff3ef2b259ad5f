"""Whether an item is sold at a moment, and the first moment after it at which that changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.contracts import Hours, Opening, Orderability, Values, opening_hours

from comanda_item_times.schemas import Weekday

DAY: Final = timedelta(days=1)
ALL_DAY: Final = (0, 24 * 60)
# Days within which most items begin or cease to be sold, and within which all do whose windows leave a gap in the week,
# even if clocks skip a gap or a window once.
SOON, HORIZON = 2, 21


@dataclass(frozen=True, slots=True)
class SaleTimes:
    """The windows of a week, and the first and the last day on which one may begin."""

    hours: tuple[tuple[opening_hours.Minutes, ...], ...]
    first: date
    last: date

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


def find_orderability(values: Values, zone: ZoneInfo, moment: datetime) -> Orderability:
    """Return whether an item with these values is sold at a moment, and when that changes."""
    first, last = values.get("sold_from"), values.get("sold_until")
    times = SaleTimes(
        _to_week(values.get("sold_at") or ()),
        date.fromisoformat(first) if first else date.min,
        date.fromisoformat(last) if last else date.max,
    )
    return _find(times, zone, moment.astimezone(UTC))


# The items of a category have the same times, and a menu asks for all of them at one moment.
@lru_cache(maxsize=256)
def _find(times: SaleTimes, zone: ZoneInfo, moment: datetime) -> Orderability:
    today = moment.astimezone(zone).date()
    # A window may last until the day after the one on which it began.
    near = times.list_openings(zone, today - 2 * DAY, SOON + 3)
    is_sold = any(start <= moment < end for start, end in near)
    # Where a week has no turn, the next one is at the first or the last day.
    for since, days in ((today, SOON), (today, HORIZON), (times.first, HORIZON), (times.last, HORIZON)):
        if since >= today and (turn := _find_turn(times, zone, moment, since, days)) is not None:
            return Orderability(is_sold, turn)
    return Orderability(is_sold)


def _find_turn(times: SaleTimes, zone: ZoneInfo, moment: datetime, since: date, days: int) -> datetime | None:
    """Return the first moment after another at which a window begins or ends within some days, or None."""
    if not date.min + 3 * DAY <= since <= date.max - (days + 3) * DAY:
        return None
    lower, upper = (_to_midnight(each, zone) for each in (since - DAY, since + days * DAY))
    openings = times.list_openings(zone, since - 3 * DAY, days + 4)
    turns = (turn for opening in openings for turn in opening if max(moment, lower) < turn < upper)
    return min(turns, default=None)


def _to_midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def _to_week(windows: Any) -> tuple[tuple[opening_hours.Minutes, ...], ...]:
    """Return the windows of each day of a week, from Monday on; without any, all of them are whole days."""
    if not windows:
        return ((ALL_DAY,),) * len(Weekday)
    return tuple(
        tuple(
            opening_hours.to_minutes(each["from"], each["until"])
            for each in windows
            if not each.get("days") or day in each["days"]
        )
        for day in Weekday
    )
