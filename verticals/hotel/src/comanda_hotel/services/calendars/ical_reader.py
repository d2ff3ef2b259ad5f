"""Reading iCalendar files of strangers: which nights their events take, and nothing else of them.

Times become days of the hotel's calendar. Rules of recurrence and of time zones are not evaluated: a file of a few
hundred bytes can have one that takes hours. The first event of a series counts, and a time in a zone that is not
known is taken as local time.
Source: RFC 5545, sections 3.1 (content lines), 3.3.4 to 3.3.6 (dates, times, durations), 3.6.1 (events).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

FOLD: Final = re.compile(r"\r?\n[ \t]")
LINE_END: Final = re.compile(r"\r\n|\n|\r")
# A name, its parameters, whose quoted values may have colons, and the value.
CONTENT_LINE: Final = re.compile(r'([A-Za-z0-9-]+)((?:;[^":]*(?:"[^"]*"[^":]*)*)?):(.*)', re.DOTALL)
ZONE: Final = re.compile(r';TZID=("?)([^";:,]+)\1', re.IGNORECASE)
DAY: Final = re.compile(r"\d{8}", re.ASCII)
TIME: Final = re.compile(r"(\d{8}T\d{6})(Z?)", re.ASCII)
DURATION: Final = re.compile(
    r"\+?P(?:(?P<weeks>\d{1,3})W|(?:(?P<days>\d{1,4})D)?"
    r"(?:T(?:(?P<hours>\d{1,5})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,9})S)?)?)",
    re.ASCII,
)
# What an event is read from; of each the first one counts.
READ: Final = frozenset({"UID", "STATUS", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE"})
ONE_NIGHT: Final = timedelta(days=1)


class NotACalendar(ValueError):
    """The text is no whole calendar."""


@dataclass(frozen=True, slots=True)
class ForeignEvent:
    """The nights of an event, from ``starts_on`` up to, but not including, ``ends_on``."""

    uid: str
    starts_on: date
    ends_on: date

    @property
    def uid_hash(self) -> str:
        """What the event is known by."""
        return hashlib.sha256(self.uid.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class ForeignCalendar:
    """The events of a calendar that are not cancelled. ``unread_count`` are those that were not or not all read.

    Those are events whose times make no sense, and series.
    """

    events: tuple[ForeignEvent, ...]
    unread_count: int


@dataclass(frozen=True, slots=True)
class _Value:
    parameters: str
    text: str


_Properties = Mapping[str, _Value]


def read_calendar(content: bytes, zone: ZoneInfo) -> ForeignCalendar:
    """Return the events of a calendar. Raises ``NotACalendar``, also for one that was cut off."""
    lines = _split_lines(content)
    if len(lines) < 2 or lines[0].upper() != "BEGIN:VCALENDAR" or lines[-1].upper() != "END:VCALENDAR":
        raise NotACalendar
    events, unread_count, seen = [], 0, Counter[str]()
    for properties in _list_events(lines):
        if properties.get("STATUS", _Value("", "")).text.upper() == "CANCELLED":
            continue
        nights = _read_nights(properties, zone)
        unread_count += nights is None or "RRULE" in properties or "RDATE" in properties
        if nights is not None:
            uid = _get_uid(properties, nights)
            # Some write one UID to several events.
            seen[uid] += 1
            events.append(ForeignEvent(uid if seen[uid] == 1 else f"{uid}#{seen[uid]}", *nights))
    return ForeignCalendar(tuple(events), unread_count)


def _split_lines(content: bytes) -> list[str]:
    text = FOLD.sub("", content.decode("utf-8-sig", "replace"))
    return [stripped for line in LINE_END.split(text) if (stripped := line.strip())]


def _list_events(lines: Iterable[str]) -> Iterator[_Properties]:
    """Yield the properties of each event, without those of components in it, such as alarms."""
    found: dict[str, _Value] | None = None
    depth = 0
    for line in lines:
        parsed = CONTENT_LINE.fullmatch(line)
        if parsed is None:
            continue
        name, parameters, text = parsed[1].upper(), parsed[2], parsed[3].strip()
        if name == "BEGIN" and found is None:
            found, depth = ({} if text.upper() == "VEVENT" else None), 0
        elif name == "BEGIN":
            depth += 1
        elif name == "END" and found is not None and depth:
            depth -= 1
        elif name == "END" and found is not None:
            yield found
            found = None
        elif found is not None and not depth and name in READ:
            found.setdefault(name, _Value(parameters, text))


def _read_nights(properties: _Properties, zone: ZoneInfo) -> tuple[date, date] | None:
    """Return the first night of an event and the day after the last, or None for times that make no sense.

    What begins and ends on one day takes the night of that day.
    """
    try:
        start = _parse_moment(properties["DTSTART"], zone)
        end = _find_end(properties, start, zone)
        starts_on, ends_on = _to_day(start, zone), _to_day(end, zone)
        if end < start:
            return None
        return starts_on, max(ends_on, starts_on + ONE_NIGHT)
    except (KeyError, ValueError, TypeError, OverflowError):
        return None


def _find_end(properties: _Properties, start: date, zone: ZoneInfo) -> date:
    if "DTEND" in properties:
        return _parse_moment(properties["DTEND"], zone)
    if "DURATION" not in properties:
        return start
    parsed = DURATION.fullmatch(properties["DURATION"].text)
    if parsed is None:
        raise ValueError("no duration")
    return start + timedelta(**{unit: int(number) for unit, number in parsed.groupdict().items() if number})


def _parse_moment(value: _Value, zone: ZoneInfo) -> date:
    """Return a day, or an aware time. Raises ``ValueError``."""
    if DAY.fullmatch(value.text):
        return date.fromisoformat(value.text)
    parsed = TIME.fullmatch(value.text)
    if parsed is None:
        raise ValueError("neither a day nor a time")
    moment = datetime.fromisoformat(parsed[1])
    if parsed[2]:
        return moment.replace(tzinfo=UTC)
    named = ZONE.search(value.parameters)
    return moment.replace(tzinfo=(named and _find_zone(named[2])) or zone)


def _to_day(moment: date, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date() if isinstance(moment, datetime) else moment


def _find_zone(name: str) -> ZoneInfo | None:
    return ZoneInfo(name) if name in _list_zones() else None


@cache
def _list_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _get_uid(properties: _Properties, nights: tuple[date, date]) -> str:
    uid = properties.get("UID")
    return uid.text if uid is not None and uid.text else f"{nights[0]}/{nights[1]}"
