"""The selection of tables for a party, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda_reservations.services.table_plan import PlanTable, TableBooking, TablePlan, TimeSpan, select_tables

START = datetime(2027, 3, 10, 19, tzinfo=UTC)


def span(start_minutes=0, minutes=90):
    starts_at = START + timedelta(minutes=start_minutes)
    return TimeSpan(starts_at, starts_at + timedelta(minutes=minutes))


def tables(*sizes, area=None, first=1):
    return [PlanTable(id, str(id), size, area) for id, size in enumerate(sizes, first)]


def numbers(found):
    return None if found is None else [table.number for table in found]


@pytest.mark.parametrize(
    ("sizes", "party", "expected"),
    [
        ((4, 2, 6), 2, ["2"]),
        ((4, 2, 6), 3, ["1"]),
        ((4, 2, 6), 5, ["3"]),
        ((4, 4, 6), 8, ["1", "2"]),
        ((2, 4, 6), 7, ["1", "3"]),
        ((2, 2, 2, 2), 6, ["1", "2", "3"]),
        ((2, 2, 2, 2), 7, None),
        ((), 1, None),
        ((8, 2, 2, 2), 5, ["1"]),
    ],
)
def test_smallest_table_or_fewest_combined(sizes, party, expected):
    assert numbers(select_tables(tables(*sizes), party)) == expected


def test_tables_of_two_areas_are_not_combined():
    terrace_and_room = tables(4, area="Terrace") + tables(4, area="Room", first=2)

    assert select_tables(terrace_and_room, 6) is None
    assert numbers(select_tables([*terrace_and_room, *tables(2, area="Room", first=3)], 6)) == ["3", "2"]


def test_area_with_fewest_spare_seats_wins():
    assert numbers(select_tables(tables(8, area="Room") + tables(6, area="Terrace", first=2), 5)) == ["2"]


def test_two_hundred_tables_are_searched_quickly():
    many = tables(*(size for size in range(1, 101) for _ in range(2)))

    assert select_tables(many, 300) is None
    assert [table.seats for table in select_tables(many, 297) or []] == [97, 100, 100]


def test_party_may_arrive_as_another_leaves():
    plan = TablePlan(tables(4), [TableBooking(1, span(0), 4, frozenset({1}))], True, None)

    assert numbers(plan.get_free_tables(span(89))) == []
    assert numbers(plan.get_free_tables(span(90))) == ["1"]
    assert numbers(plan.get_free_tables(span(-90))) == ["1"]


def test_seats_are_counted_at_fullest_moment():
    parties = [TableBooking(1, span(0, 60), 6, frozenset()), TableBooking(2, span(60, 60), 5, frozenset())]
    plan = TablePlan([], parties, False, 10)

    # The first party has gone when the second comes: never more than six are in the house.
    assert plan.has_seats(span(0, 120), 4)
    assert not plan.has_seats(span(0, 120), 5)
    assert plan.has_seats(span(60, 60), 5)


def test_changed_reservation_ignores_its_own_tables():
    plan = TablePlan(tables(4), [TableBooking(7, span(), 4, frozenset({1}))], True, 4)

    assert not plan.has_room(span(30), 4)
    assert plan.exclude(7).has_room(span(30), 4)
