"""Opening hours of a store: when it is open, opens next and closes.

A store is open while the clock on its wall reads a time inside an interval. So moments are turned into local time and
compared there; hours are never added to local times. In the night the clocks go back, a time that the wall shows twice
counts both times; in the night they go forward, an interval inside the skipped hour does not happen.

An interval belongs to the day on which it begins, also where it ends past midnight. An exception replaces what begins
on its date: what began the evening before goes on to its end, and what begins on the date may end on the next.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# How far ahead an opening or a closing is looked for.
HORIZON: Final = timedelta(days=60)
# In how many days most stores open and close; looking at all of them takes much longer.
SOON: Final = 4
DAY: Final = timedelta(days=1)
SECOND: Final = timedelta(seconds=1)

# Minutes after the day's midnight, as the wall shows them: (open, close), the close past 1440 on the next day.
Minutes = tuple[int, int]
# Two moments in UTC, the second one no longer open.
Opening = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Hours:
    """A week from Monday on, and the dates on which something else holds: no intervals, and the store is closed."""

    week: tuple[tuple[Minutes, ...], ...]
    exceptions: Mapping[date, tuple[Minutes, ...]]

    def is_open(self, zone: ZoneInfo, moment: datetime) -> bool:
        """Return whether the store is open at an aware moment."""
        if _is_beyond(moment):
            return False
        wall = moment.astimezone(zone).replace(tzinfo=None)
        days = (wall.date() - DAY, wall.date())
        return any(opens <= wall < closes for day in days for opens, closes in self._walls(day))

    def next_open_at(self, zone: ZoneInfo, moment: datetime) -> datetime | None:
        """Return the first open moment from ``moment`` on, itself included; None if there is none within 60 days."""
        if _is_beyond(moment):
            return None
        since = moment.astimezone(UTC)
        opening = self._opening(zone, since)
        return None if opening is None or opening[0] > since + HORIZON else max(opening[0], since)

    def closes_at(self, zone: ZoneInfo, moment: datetime) -> datetime | None:
        """Return when a store that is open now closes next, intervals that touch counting as one.

        None for a store that is closed at ``moment``, or stays open for more than 60 days.
        """
        if _is_beyond(moment):
            return None
        since = moment.astimezone(UTC)
        opening = self._opening(zone, since)
        return None if opening is None or opening[0] > since or opening[1] > since + HORIZON else opening[1]

    def intervals_on(self, zone: ZoneInfo, day: date) -> list[Opening]:
        """List the intervals that begin on a local day, as moments in UTC and in order.

        One that the clocks' going back interrupts is listed as two, and one that their going forward skips is not.
        """
        if not date.min + 2 * DAY <= day <= date.max - 3 * DAY:
            # The days around it would be outside the calendar.
            return []
        return [opening for opens, closes in self._walls(day) for opening in _openings(zone, opens, closes)]

    def _walls(self, day: date) -> Iterator[tuple[datetime, datetime]]:
        """Return the local times at which the intervals of a day begin and end."""
        midnight = datetime.combine(day, time())
        intervals = self.exceptions.get(day)
        for opens, closes in self.week[day.weekday()] if intervals is None else intervals:
            yield midnight + timedelta(minutes=opens), midnight + timedelta(minutes=closes)

    def _opening(self, zone: ZoneInfo, moment: datetime) -> Opening | None:
        """Return the unbroken stretch that is open at a moment in UTC, or else the first one after it."""
        near = self._opening_within(zone, moment, SOON)
        # Later days cannot begin so early that they would lengthen it, or come before it.
        if near is not None and near[1] < moment + (SOON - 2) * DAY:
            return near
        return self._opening_within(zone, moment, HORIZON.days + 2)

    def _opening_within(self, zone: ZoneInfo, moment: datetime, days: int) -> Opening | None:
        today = moment.astimezone(zone).date()
        openings = [each for number in range(-1, days) for each in self.intervals_on(zone, today + number * DAY)]
        return next((opening for opening in _joined(sorted(openings)) if opening[1] > moment), None)


def parse_hours(stored: str | None) -> Hours | None:
    """Return the hours of the text of a store's column ``hours``; None, with nothing configured, is always open."""
    if stored is None:
        return None
    document = orjson.loads(stored)
    exceptions = {date.fromisoformat(each["date"]): _intervals(each["intervals"]) for each in document["exceptions"]}
    return Hours(tuple(_intervals(document[day]) for day in DAYS), exceptions)


def to_minutes(opens: str, closes: str) -> Minutes:
    """Convert times such as ``09:00`` into minutes; a close that is not later than the open is on the next day."""
    opens_minutes, closes_minutes = _minutes(opens), _minutes(closes)
    return opens_minutes, closes_minutes + (24 * 60 if closes_minutes <= opens_minutes else 0)


def has_overlap(intervals: list[Minutes]) -> bool:
    """Return whether any two intervals of one day share a minute."""
    return any(earlier[1] > later[0] for earlier, later in pairwise(sorted(intervals)))


def _intervals(wire: list[dict[str, Any]]) -> tuple[Minutes, ...]:
    return tuple(to_minutes(each["open"], each["close"]) for each in wire)


def _minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def _is_beyond(moment: datetime) -> bool:
    # Local times and the days around them must stay within the calendar's years 1 to 9999.
    return not 2 <= moment.year <= 9998


def _openings(zone: ZoneInfo, opens: datetime, closes: datetime) -> list[Opening]:
    """Return the moments at which local time is from ``opens`` up to ``closes``, both without a zone."""
    found = []
    # No zone is more than a day away from UTC.
    for since, until, offset in _offsets(zone, opens - DAY, closes + DAY):
        start, end = max(opens - offset, since), min(closes - offset, until)
        if start < end:
            found.append((start.replace(tzinfo=UTC), end.replace(tzinfo=UTC)))
    return _joined(found)


def _offsets(zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime, timedelta]]:
    """Cut the few days between two moments, in UTC, where the zone's offset changes: (since, until, offset)."""
    offset = _offset(zone, since)
    # A zone that changes its offset and takes that back within days is not known.
    while offset != _offset(zone, until):
        low, high = since, until
        while high - low > SECOND:
            middle = (low + (high - low) / 2).replace(microsecond=0)
            low, high = (middle, high) if _offset(zone, middle) == offset else (low, middle)
        yield since, high, offset
        since, offset = high, _offset(zone, high)
    yield since, until, offset


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None) - moment


def _joined(openings: list[Opening]) -> list[Opening]:
    """Join those, in order, that touch or overlap."""
    found: list[Opening] = []
    for start, end in openings:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
