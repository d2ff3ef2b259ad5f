"""Opening hours of a store: when it is open, opens next and closes.

A store is open while its local time is inside an interval. So moments are converted to local time and compared there;
hours are never added to local times. When clocks go back, an interval inside the repeated hour applies twice; when they
go forward, an interval inside the skipped hour does not apply.

An interval belongs to the day on which it begins, even if it ends after midnight. An exception replaces the intervals
that begin on its date: one that began the evening before still runs to its end, and its own may end on the next day.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# How far ahead openings and closings are searched.
HORIZON: Final = timedelta(days=60)
# Days within which most stores open and close; searching the whole horizon takes much longer.
SOON: Final = 4
DAY: Final = timedelta(days=1)
SECOND: Final = timedelta(seconds=1)

# Local minutes after the day's midnight: (open, close); a close above 1440 is on the next day.
Minutes = tuple[int, int]
# Two moments in UTC, the second one exclusive.
Opening = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Hours:
    """Weekly hours from Monday on, and exceptions by date; one without intervals means closed."""

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
        """Return the first open moment at or after ``moment``; None if there is none within 60 days."""
        if _is_beyond(moment):
            return None
        since = moment.astimezone(UTC)
        opening = self._opening(zone, since)
        return None if opening is None or opening[0] > since + HORIZON else max(opening[0], since)

    def closes_at(self, zone: ZoneInfo, moment: datetime) -> datetime | None:
        """Return when a store that is open at ``moment`` closes; adjacent intervals count as one.

        None for a store that is closed at ``moment``, or stays open for more than 60 days.
        """
        if _is_beyond(moment):
            return None
        since = moment.astimezone(UTC)
        opening = self._opening(zone, since)
        return None if opening is None or opening[0] > since or opening[1] > since + HORIZON else opening[1]

    def intervals_on(self, zone: ZoneInfo, day: date) -> list[Opening]:
        """List the intervals that begin on a local day, in UTC and in order.

        One that is interrupted when clocks go back is listed as two; one that is skipped when they go forward is not.
        """
        if not date.min + 2 * DAY <= day <= date.max - 3 * DAY:
            # The days around it must be valid dates.
            return []
        return [opening for opens, closes in self._walls(day) for opening in _openings(zone, opens, closes)]

    def _walls(self, day: date) -> Iterator[tuple[datetime, datetime]]:
        """Yield the local times at which the intervals of a day begin and end."""
        midnight = datetime.combine(day, time())
        intervals = self.exceptions.get(day)
        for opens, closes in self.week[day.weekday()] if intervals is None else intervals:
            yield midnight + timedelta(minutes=opens), midnight + timedelta(minutes=closes)

    def _opening(self, zone: ZoneInfo, moment: datetime) -> Opening | None:
        """Return the merged opening at a moment in UTC, or else the first one after it."""
        near = self._opening_within(zone, moment, SOON)
        # Intervals of later days cannot extend it, or begin before it.
        if near is not None and near[1] < moment + (SOON - 2) * DAY:
            return near
        return self._opening_within(zone, moment, HORIZON.days + 2)

    def _opening_within(self, zone: ZoneInfo, moment: datetime, days: int) -> Opening | None:
        today = moment.astimezone(zone).date()
        openings = [each for number in range(-1, days) for each in self.intervals_on(zone, today + number * DAY)]
        return next((opening for opening in join_openings(sorted(openings)) if opening[1] > moment), None)


def parse_hours(stored: str | None) -> Hours | None:
    """Parse a store's column ``hours``; None, for hours that are not configured, means always open."""
    if stored is None:
        return None
    document = orjson.loads(stored)
    exceptions = {date.fromisoformat(each["date"]): _intervals(each["intervals"]) for each in document["exceptions"]}
    return Hours(tuple(_intervals(document[day]) for day in DAYS), exceptions)


def to_minutes(opens: str, closes: str) -> Minutes:
    """Convert times such as ``09:00`` to minutes; a close that is not after the open is on the next day."""
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
    # Local times and the days around them must stay within the years 1 to 9999.
    return not 2 <= moment.year <= 9998


def _openings(zone: ZoneInfo, opens: datetime, closes: datetime) -> list[Opening]:
    """Return the moments at which the local time is within ``[opens, closes)``, both without a zone."""
    found = []
    # No zone's offset exceeds a day.
    for since, until, offset in _offsets(zone, opens - DAY, closes + DAY):
        start, end = max(opens - offset, since), min(closes - offset, until)
        if start < end:
            found.append((start.replace(tzinfo=UTC), end.replace(tzinfo=UTC)))
    return join_openings(found)


def _offsets(zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime, timedelta]]:
    """Split the days between two moments in UTC where the zone's offset changes: (since, until, offset)."""
    offset = _offset(zone, since)
    # No known zone changes its offset back within days.
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


def join_openings(openings: list[Opening]) -> list[Opening]:
    """Merge openings, which are in order, that touch or overlap."""
    found: list[Opening] = []
    for start, end in openings:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
