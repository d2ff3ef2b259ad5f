"""The timetable of a store: slots created from its opening hours. No database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from comanda.contracts import Hours, Opening

from comanda_collection.records import SlotRules

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimeSlot:
    """The start and end of a slot, in UTC."""

    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Timetable:
    """The slots of one mode of a store; ``hours`` is None for a store that never closes."""

    zone: ZoneInfo
    hours: Hours | None
    rules: SlotRules

    def to_local_date(self, moment: datetime) -> date:
        """Return the store's local date at a moment."""
        return moment.astimezone(self.zone).date()

    def list_slots(self, day: date) -> list[TimeSlot]:
        """List the slots that begin on a local day, including those of a night that began the day before."""
        slots = [*self._cut_slots(day - DAY), *self._cut_slots(day)]
        return [slot for slot in slots if self.to_local_date(slot.starts_at) == day]

    def get_earliest(self, now: datetime) -> datetime:
        """Return the earliest time that can be booked."""
        return now + timedelta(minutes=self.rules.lead_minutes)

    def get_last_day(self, now: datetime) -> date:
        """Return the last local day that can be booked."""
        return self.to_local_date(now) + DAY * self.rules.horizon_days

    def is_after_horizon(self, moment: datetime, now: datetime) -> bool:
        """Check whether a moment is after the last day that can be booked."""
        # The first comparison covers moments so far ahead that they have no date in the store's time zone.
        return moment > now + DAY * (self.rules.horizon_days + 2) or self.to_local_date(moment) > self.get_last_day(now)

    def is_bookable(self, slot: TimeSlot, now: datetime) -> bool:
        """Check whether a slot is neither too soon nor too far ahead, regardless of capacity."""
        return slot.starts_at >= self.get_earliest(now) and not self.is_after_horizon(slot.starts_at, now)

    def iter_bookable(self, now: datetime, *, after: datetime | None = None) -> Iterator[TimeSlot]:
        """Yield the bookable slots in order, from ``after`` on if given."""
        start = max(self.get_earliest(now), after or now)
        day, last = self.to_local_date(start), self.get_last_day(now)
        while day <= last:
            yield from (slot for slot in self.list_slots(day) if slot.starts_at >= start)
            day += DAY

    def find_slot(self, moment: datetime) -> TimeSlot | None:
        """Return the slot that begins at a moment, or None if none does."""
        return next((slot for slot in self.list_slots(self.to_local_date(moment)) if slot.starts_at == moment), None)

    def create_slot(self, moment: datetime) -> TimeSlot:
        """Return a slot that begins at a moment, regardless of opening hours."""
        return TimeSlot(moment, moment + timedelta(minutes=self.rules.slot_minutes))

    def is_open(self, moment: datetime) -> bool:
        """Check whether the store is open at a moment."""
        return self.hours is None or self.hours.is_open(self.zone, moment)

    def list_nearest(self, moment: datetime, now: datetime) -> list[TimeSlot]:
        """List the last bookable slot before a moment and the first one after it."""
        before = self._find_last_before(moment, now)
        later = next(self.iter_bookable(now, after=moment), None)
        return [slot for slot in (before, later) if slot is not None]

    def format_local(self, moment: datetime) -> str:
        """Format a moment in the store's time zone, such as ``2026-02-28T18:30+01:00``."""
        return moment.astimezone(self.zone).isoformat(timespec="minutes")

    def _find_last_before(self, moment: datetime, now: datetime) -> TimeSlot | None:
        first = self.to_local_date(self.get_earliest(now))
        day = min(self.to_local_date(moment), self.get_last_day(now))
        while day >= first:
            if bookable := [
                slot for slot in self.list_slots(day) if slot.starts_at < moment and self.is_bookable(slot, now)
            ]:
                return bookable[-1]
            day -= DAY
        return None

    def _cut_slots(self, day: date) -> Iterator[TimeSlot]:
        """Yield the slots of the opening hours of a day, without those that would end after closing time."""
        length = timedelta(minutes=self.rules.slot_minutes)
        # A night may last into the hours of the next day: no time is divided into slots twice.
        busy_until = max((end for _, end in self._list_intervals(day - DAY)), default=datetime.min.replace(tzinfo=UTC))
        for start, end in self._list_intervals(day):
            moment = start
            while moment + length <= end:
                if moment >= busy_until:
                    yield self.create_slot(moment)
                moment += length

    def _list_intervals(self, day: date) -> list[Opening]:
        if self.hours is not None:
            return self.hours.intervals_on(self.zone, day)
        midnights = (datetime.combine(each, time.min, self.zone).astimezone(UTC) for each in (day, day + DAY))
        return list(pairwise(midnights))
