"""When customers may come: slots cut from a store's opening hours. Pure, no database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from comanda.contracts.opening_hours import Hours, Opening

from comanda_collection.modes import Rules

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Slot:
    """From when to when customers of one slot come, in UTC."""

    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Timetable:
    """The slots of one mode of a store; ``hours`` None is a store that never closes."""

    zone: ZoneInfo
    hours: Hours | None
    rules: Rules

    def day(self, moment: datetime) -> date:
        """Tell the store's local day at a moment."""
        return moment.astimezone(self.zone).date()

    def on(self, day: date) -> list[Slot]:
        """List the slots that begin on a local day, also those of a night that began the day before."""
        found = [*self._opened_on(day - DAY), *self._opened_on(day)]
        return [slot for slot in found if self.day(slot.starts_at) == day]

    def earliest(self, now: datetime) -> datetime:
        """Tell from when on slots may be taken, as seen from ``now``."""
        return now + timedelta(minutes=self.rules.lead_minutes)

    def last_day(self, now: datetime) -> date:
        """Tell the last local day whose slots may be taken."""
        return self.day(now) + DAY * self.rules.horizon_days

    def is_beyond(self, moment: datetime, now: datetime) -> bool:
        """Tell whether a moment is later than the last day whose slots may be taken."""
        # The first question is for moments so far ahead that they have no date in the store's time zone.
        return moment > now + DAY * (self.rules.horizon_days + 2) or self.day(moment) > self.last_day(now)

    def is_bookable(self, slot: Slot, now: datetime) -> bool:
        """Tell whether a slot is neither too soon nor too far ahead; whether it has room is another question."""
        return slot.starts_at >= self.earliest(now) and not self.is_beyond(slot.starts_at, now)

    def bookable(self, now: datetime, *, after: datetime | None = None) -> Iterator[Slot]:
        """Go through the slots that may be taken, first first, from ``after`` on if that is given."""
        start = max(self.earliest(now), after or now)
        day, last = self.day(start), self.last_day(now)
        while day <= last:
            yield from (slot for slot in self.on(day) if slot.starts_at >= start)
            day += DAY

    def slot_at(self, moment: datetime) -> Slot | None:
        """Return the slot that begins at a moment, or None if none does."""
        return next((slot for slot in self.on(self.day(moment)) if slot.starts_at == moment), None)

    def slot_from(self, moment: datetime) -> Slot:
        """Return the slot that a moment begins, whether or not the store's hours have it."""
        return Slot(moment, moment + timedelta(minutes=self.rules.slot_minutes))

    def is_open(self, moment: datetime) -> bool:
        """Tell whether the store is open at a moment."""
        return self.hours is None or self.hours.is_open(self.zone, moment)

    def nearest(self, moment: datetime, now: datetime) -> list[Slot]:
        """Return the last slot before a moment and the first after it, as far as they may be taken."""
        before = self._last_before(moment, now)
        later = next(self.bookable(now, after=moment), None)
        return [slot for slot in (before, later) if slot is not None]

    def local(self, moment: datetime) -> str:
        """Write a moment as the store's clock shows it, with its offset, such as ``2026-02-28T18:30+01:00``."""
        return moment.astimezone(self.zone).isoformat(timespec="minutes")

    def _last_before(self, moment: datetime, now: datetime) -> Slot | None:
        first = self.day(self.earliest(now))
        day = min(self.day(moment), self.last_day(now))
        while day >= first:
            if found := [slot for slot in self.on(day) if slot.starts_at < moment and self.is_bookable(slot, now)]:
                return found[-1]
            day -= DAY
        return None

    def _opened_on(self, day: date) -> Iterator[Slot]:
        """Cut what opens on a day into slots; one that would not end before the store closes is left out."""
        length = timedelta(minutes=self.rules.slot_minutes)
        # A night may last into the hours of the next day: what has been cut from the one is not cut again.
        busy_until = max((end for _, end in self._intervals(day - DAY)), default=datetime.min.replace(tzinfo=UTC))
        for start, end in self._intervals(day):
            moment = start
            while moment + length <= end:
                if moment >= busy_until:
                    yield self.slot_from(moment)
                moment += length

    def _intervals(self, day: date) -> list[Opening]:
        if self.hours is not None:
            return self.hours.intervals_on(self.zone, day)
        midnights = (datetime.combine(each, time.min, self.zone).astimezone(UTC) for each in (day, day + DAY))
        return list(pairwise(midnights))
