"""The table plan: which tables seat a party at a time. Without side effects."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations, groupby

# The most tables that are combined for one party.
MAX_COMBINED_TABLES = 3


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The time from ``starts_at`` up to, but not including, ``ends_at``, when the next party may arrive."""

    starts_at: datetime
    ends_at: datetime

    def overlaps(self, other: "TimeSpan") -> bool:
        """Return whether the two spans have a moment in common."""
        return self.starts_at < other.ends_at and other.starts_at < self.ends_at

    def contains(self, moment: datetime) -> bool:
        """Return whether a moment lies within the span."""
        return self.starts_at <= moment < self.ends_at


@dataclass(frozen=True, slots=True)
class PlanTable:
    """A table that can be assigned."""

    id: int
    number: str
    seats: int
    area: str | None


@dataclass(frozen=True, slots=True)
class TableBooking:
    """A reservation that holds tables, or only seats if the store has no tables."""

    reservation_id: int
    span: TimeSpan
    party_size: int
    table_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The tables of a store in the owner's order, and the bookings around a time."""

    tables: Sequence[PlanTable]
    bookings: Sequence[TableBooking]
    has_tables: bool
    capacity_seats: int | None
    _selected: dict[tuple[frozenset[int], int], list[PlanTable] | None] = field(default_factory=dict, repr=False)

    def get_free_tables(self, span: TimeSpan) -> list[PlanTable]:
        """Return the tables that are free during ``span``."""
        taken = {id for booking in self.bookings if booking.span.overlaps(span) for id in booking.table_ids}
        return [table for table in self.tables if table.id not in taken]

    def select_tables(self, span: TimeSpan, party_size: int) -> list[PlanTable] | None:
        """Return the tables that a party would get during ``span``, or None if too few are free."""
        free = self.get_free_tables(span)
        key = (frozenset(table.id for table in free), party_size)
        if key not in self._selected:
            self._selected[key] = select_tables(free, party_size)
        return self._selected[key]

    def has_seats(self, span: TimeSpan, party_size: int) -> bool:
        """Return whether the party fits within ``capacity_seats`` during ``span``."""
        if self.capacity_seats is None:
            return True
        return self._count_max_guests(span) + party_size <= self.capacity_seats

    def has_room(self, span: TimeSpan, party_size: int) -> bool:
        """Return whether a party can be seated during ``span``."""
        if not self.has_seats(span, party_size):
            return False
        return not self.has_tables or self.select_tables(span, party_size) is not None

    def exclude(self, reservation_id: int) -> "TablePlan":
        """Return the plan without a reservation that is being changed, whose own tables count as free."""
        others = [booking for booking in self.bookings if booking.reservation_id != reservation_id]
        return TablePlan(self.tables, others, self.has_tables, self.capacity_seats)

    def _count_max_guests(self, span: TimeSpan) -> int:
        together = [booking for booking in self.bookings if booking.span.overlaps(span)]
        # The number of guests only grows when a party arrives.
        moments = {max(booking.span.starts_at, span.starts_at) for booking in together}
        return max((_count_guests(together, moment) for moment in moments), default=0)


def select_tables(free: Collection[PlanTable], party_size: int) -> list[PlanTable] | None:
    """Return the smallest table that seats a party, or else the fewest tables of one area with the fewest spare seats.

    At most ``MAX_COMBINED_TABLES``; ties are broken by the owner's order. None if no combination fits.
    """
    by_area: dict[str | None, list[PlanTable]] = {}
    for table in free:
        by_area.setdefault(table.area, []).append(table)
    for count in range(1, MAX_COMBINED_TABLES + 1):
        found = [best for tables in by_area.values() if (best := _select_best(tables, party_size, count))]
        if found:
            return min(found, key=_count_seats)
    return None


def _select_best(tables: Iterable[PlanTable], party_size: int, count: int) -> list[PlanTable] | None:
    """Return the ``count`` tables with the fewest seats that seat the party, or None."""
    by_size = sorted(tables, key=lambda table: table.seats)
    # Of equally large tables, at most ``count`` can be part of a combination.
    some = [table for _, same in groupby(by_size, key=lambda table: table.seats) for table in list(same)[:count]]
    sizes = [table.seats for table in some]
    best: list[PlanTable] | None = None
    for places in combinations(range(len(some)), count - 1):
        rest = party_size - sum(sizes[place] for place in places)
        last = bisect_left(sizes, rest, lo=places[-1] + 1 if places else 0)
        if last < len(some):
            found = [*(some[place] for place in places), some[last]]
            best = found if best is None or _count_seats(found) < _count_seats(best) else best
    return best


def _count_seats(tables: Iterable[PlanTable]) -> int:
    return sum(table.seats for table in tables)


def _count_guests(bookings: Iterable[TableBooking], moment: datetime) -> int:
    return sum(booking.party_size for booking in bookings if booking.span.contains(moment))
