"""Who fits where and when: the pure part of taking reservations."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations, groupby

# More tables than this are not pushed together.
MAX_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Span:
    """A time from ``starts_at`` up to, not including, ``ends_at``: one party may leave as the next one comes."""

    starts_at: datetime
    ends_at: datetime

    def overlaps(self, other: "Span") -> bool:
        """Tell whether some moment belongs to both."""
        return self.starts_at < other.ends_at and other.starts_at < self.ends_at

    def has(self, moment: datetime) -> bool:
        """Tell whether a moment belongs to it."""
        return self.starts_at <= moment < self.ends_at


@dataclass(frozen=True, slots=True)
class Seats:
    """A table that can be given out."""

    id: int
    number: str
    seats: int
    area: str | None


@dataclass(frozen=True, slots=True)
class Booking:
    """A reservation that holds its tables, or merely its seats where the store has no tables."""

    reservation_id: int
    span: Span
    party_size: int
    table_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class Plan:
    """The tables of a store in the owner's order, and who comes around some time."""

    tables: Sequence[Seats]
    bookings: Sequence[Booking]
    has_tables: bool
    capacity_seats: int | None
    _chosen: dict[tuple[frozenset[int], int], list[Seats] | None] = field(default_factory=dict, repr=False)

    def free_tables(self, span: Span) -> list[Seats]:
        """List the tables that nobody has during ``span``."""
        taken = {id for booking in self.bookings if booking.span.overlaps(span) for id in booking.table_ids}
        return [table for table in self.tables if table.id not in taken]

    def choose(self, span: Span, party_size: int) -> list[Seats] | None:
        """Return the tables that a party would get during ``span``, or None when too few are free."""
        free = self.free_tables(span)
        key = (frozenset(table.id for table in free), party_size)
        if key not in self._chosen:
            self._chosen[key] = choose(free, party_size)
        return self._chosen[key]

    def has_seats(self, span: Span, party_size: int) -> bool:
        """Tell whether the guests of ``span`` stay within ``capacity_seats`` with this party."""
        if self.capacity_seats is None:
            return True
        return self._most_guests(span) + party_size <= self.capacity_seats

    def fits(self, span: Span, party_size: int) -> bool:
        """Tell whether a party can come during ``span``."""
        if not self.has_seats(span, party_size):
            return False
        return not self.has_tables or self.choose(span, party_size) is not None

    def without(self, reservation_id: int) -> "Plan":
        """Return the plan as it is for a reservation that is being changed: its own tables are free to it."""
        others = [booking for booking in self.bookings if booking.reservation_id != reservation_id]
        return Plan(self.tables, others, self.has_tables, self.capacity_seats)

    def _most_guests(self, span: Span) -> int:
        together = [booking for booking in self.bookings if booking.span.overlaps(span)]
        # The house fills only as somebody comes.
        moments = {max(booking.span.starts_at, span.starts_at) for booking in together}
        return max((_guests(together, moment) for moment in moments), default=0)


def choose(free: Collection[Seats], party_size: int) -> list[Seats] | None:
    """Choose the smallest table that seats a party, else the fewest of one area that do with the fewest seats left.

    At most ``MAX_TOGETHER`` tables; of equal choices the first in the owner's order wins. None when nothing fits.
    """
    by_area: dict[str | None, list[Seats]] = {}
    for table in free:
        by_area.setdefault(table.area, []).append(table)
    for count in range(1, MAX_TOGETHER + 1):
        found = [best for tables in by_area.values() if (best := _best(tables, party_size, count))]
        if found:
            return min(found, key=_seats)
    return None


def _best(tables: Iterable[Seats], party_size: int, count: int) -> list[Seats] | None:
    """Return ``count`` tables with the fewest seats that are enough."""
    by_size = sorted(tables, key=lambda table: table.seats)
    # Of equally large tables no choice holds more than ``count``.
    some = [table for _, same in groupby(by_size, key=lambda table: table.seats) for table in list(same)[:count]]
    sizes = [table.seats for table in some]
    best: list[Seats] | None = None
    for places in combinations(range(len(some)), count - 1):
        rest = party_size - sum(sizes[place] for place in places)
        last = bisect_left(sizes, rest, lo=places[-1] + 1 if places else 0)
        if last < len(some):
            found = [*(some[place] for place in places), some[last]]
            best = found if best is None or _seats(found) < _seats(best) else best
    return best


def _seats(tables: Iterable[Seats]) -> int:
    return sum(table.seats for table in tables)


def _guests(bookings: Iterable[Booking], moment: datetime) -> int:
    return sum(booking.party_size for booking in bookings if booking.span.has(moment))
