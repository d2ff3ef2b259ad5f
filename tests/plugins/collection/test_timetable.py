"""Slots cut from opening hours, and which of them may be taken."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts.opening_hours import Hours, interval
from comanda_collection.modes import Rules
from comanda_collection.timetable import Timetable
from hypothesis import given, settings
from hypothesis import strategies as st

LISBON, KATHMANDU, BERLIN = ZoneInfo("Europe/Lisbon"), ZoneInfo("Asia/Kathmandu"), ZoneInfo("Europe/Berlin")
MONDAY = date(2030, 1, 7)


def timetable(*intervals, zone=LISBON, week=None, exceptions=(), **rules):
    """Make a timetable of a store that opens alike every day, or never closes."""
    cut = {"slot_minutes": 60, "capacity": 1, "lead_minutes": 0, "horizon_days": 7, **rules}
    day = tuple(interval(*each.split("-")) for each in intervals)
    hours = Hours(week or (day,) * 7, dict(exceptions)) if intervals or week else None
    return Timetable(zone, hours, Rules(**cut))


def local(found, slots):
    return [slot.starts_at.astimezone(found.zone).strftime("%d %H:%M") for slot in slots]


def test_a_day_is_cut_from_each_opening_on_and_a_rest_that_is_too_short_is_left_out():
    found = timetable("09:15-12:00", "14:00-16:00")

    assert local(found, found.on(MONDAY)) == ["07 09:15", "07 10:15", "07 14:00", "07 15:00"]
    assert {slot.ends_at - slot.starts_at for slot in found.on(MONDAY)} == {timedelta(hours=1)}


def test_times_are_those_of_the_stores_wall_clock():
    found = timetable("09:00-11:00", zone=KATHMANDU)

    assert [slot.starts_at for slot in found.on(MONDAY)] == [
        datetime(2030, 1, 7, 3, 15, tzinfo=UTC), datetime(2030, 1, 7, 4, 15, tzinfo=UTC),
    ]  # fmt: skip


def test_a_night_belongs_to_the_days_on_which_its_slots_begin():
    found = timetable("22:00-02:00")

    assert local(found, found.on(MONDAY)) == ["07 00:00", "07 01:00", "07 22:00", "07 23:00"]


def test_a_night_that_lasts_into_the_next_days_opening_is_not_cut_twice():
    found = timetable("01:00-03:00", "20:00-02:00")

    assert local(found, found.on(MONDAY)) == [
        "07 00:00",
        "07 01:00",
        "07 02:00",
        "07 20:00",
        "07 21:00",
        "07 22:00",
        "07 23:00",
    ]


@pytest.mark.parametrize(("day", "hours"), [(date(2030, 3, 31), 23), (date(2030, 10, 27), 25), (MONDAY, 24)])
@pytest.mark.parametrize("zone", [LISBON, BERLIN])
def test_a_store_that_never_closes_has_every_hour_of_a_day_also_when_the_clocks_change(zone, day, hours):
    found = timetable(zone=zone)
    slots = found.on(day)

    assert len(slots) == hours
    assert all(earlier.ends_at == later.starts_at for earlier, later in pairwise(slots))
    assert slots[0].starts_at.astimezone(zone).hour == 0
    assert found.on(day + timedelta(days=1))[0].starts_at == slots[-1].ends_at


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2030, 3, 31), ["31 00:00", "31 02:00", "31 03:00"]),
        (date(2030, 10, 27), ["27 00:00", "27 01:00", "27 01:00", "27 02:00", "27 03:00"]),
    ],
)
def test_the_hour_that_the_clocks_skip_has_no_slot_and_the_one_they_repeat_has_two(day, expected):
    found = timetable("00:00-04:00")

    assert local(found, found.on(day)) == expected


def test_an_exception_replaces_its_day():
    holiday = {MONDAY: (), MONDAY + timedelta(days=1): (interval("12:00", "13:00"),)}
    found = timetable("09:00-10:00", exceptions=holiday)

    assert local(found, found.on(MONDAY)) == []
    assert local(found, found.on(MONDAY + timedelta(days=1))) == ["08 12:00"]


def test_slots_may_be_taken_after_the_notice_and_up_to_the_last_day():
    found = timetable("09:00-12:00", lead_minutes=90, horizon_days=2)
    now = datetime(2030, 1, 7, 8, 30, tzinfo=UTC)

    slots = list(found.bookable(now))

    assert local(found, slots) == [
        "07 10:00",
        "07 11:00",
        "08 09:00",
        "08 10:00",
        "08 11:00",
        "09 09:00",
        "09 10:00",
        "09 11:00",
    ]
    assert all(found.is_bookable(slot, now) for slot in slots)
    assert found.last_day(now) == date(2030, 1, 9)


def test_nearest_are_the_last_before_and_the_first_after_whatever_lies_between():
    found = timetable("09:00-11:00", week=(((540, 660),), (), (), ((540, 660),), (), (), ()))
    now = datetime(2030, 1, 7, 8, 0, tzinfo=UTC)

    assert local(found, found.nearest(datetime(2030, 1, 9, 12, 0, tzinfo=UTC), now)) == ["07 10:00", "10 09:00"]
    assert local(found, found.nearest(datetime(2030, 1, 13, 12, 0, tzinfo=UTC), now)) == ["10 10:00", "14 09:00"]
    assert local(found, found.nearest(datetime(2030, 1, 7, 8, 30, tzinfo=UTC), now)) == ["07 09:00"]


def test_a_store_that_never_opens_has_no_slots():
    found = timetable(week=((),) * 7)
    now = datetime(2030, 1, 7, 8, 0, tzinfo=UTC)

    assert (found.on(MONDAY), list(found.bookable(now)), found.nearest(now, now)) == ([], [], [])


ZONES = ["Europe/Lisbon", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo"]
MINUTES = st.tuples(st.integers(0, 1439), st.integers(1, 1440)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@settings(deadline=None)
@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    day=st.dates(date(2024, 1, 1), date(2030, 12, 31)),
    week=st.lists(st.lists(MINUTES, max_size=1), min_size=7, max_size=7),
    minutes=st.integers(5, 480),
)
def test_whatever_the_hours_slots_are_in_order_apart_inside_them_and_on_their_day(zone, day, week, minutes):
    hours = Hours(tuple(map(tuple, week)), {})
    found = Timetable(zone, hours, Rules(minutes, 1, 0, 7))

    slots = [slot for number in range(-1, 2) for slot in found.on(day + timedelta(days=number))]

    assert all(earlier.ends_at <= later.starts_at for earlier, later in pairwise(slots))
    for slot in found.on(day):
        assert slot.starts_at.astimezone(zone).date() == day
        assert found.slot_at(slot.starts_at) == slot
        assert hours.is_open(zone, slot.starts_at)
        assert hours.is_open(zone, slot.ends_at - timedelta(seconds=1))
