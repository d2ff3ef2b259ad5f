"""Slots created from opening hours, and which of them are bookable."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import Hours
from comanda.contracts.opening_hours import to_minutes
from comanda_collection.records import SlotRules
from comanda_collection.services.timetable import Timetable
from hypothesis import given
from hypothesis import strategies as st

LISBON, KATHMANDU, BERLIN = ZoneInfo("Europe/Lisbon"), ZoneInfo("Asia/Kathmandu"), ZoneInfo("Europe/Berlin")
MONDAY = date(2030, 1, 7)


def timetable(*intervals, zone=LISBON, week=None, exceptions=(), **rules):
    """Return the timetable of a store with the same hours every day, or one that never closes."""
    cut = {"slot_minutes": 60, "capacity": 1, "lead_minutes": 0, "horizon_days": 7, **rules}
    day = tuple(to_minutes(*each.split("-")) for each in intervals)
    hours = Hours(week or (day,) * 7, dict(exceptions)) if intervals or week else None
    return Timetable(zone, hours, SlotRules(**cut))


def local(found, slots):
    return [slot.starts_at.astimezone(found.zone).strftime("%d %H:%M") for slot in slots]


def test_slots_fit_into_opening_hours():
    found = timetable("09:15-12:00", "14:00-16:00")

    assert local(found, found.list_slots(MONDAY)) == ["07 09:15", "07 10:15", "07 14:00", "07 15:00"]
    assert {slot.ends_at - slot.starts_at for slot in found.list_slots(MONDAY)} == {timedelta(hours=1)}


def test_times_follow_time_zone_of_store():
    found = timetable("09:00-11:00", zone=KATHMANDU)

    assert [slot.starts_at for slot in found.list_slots(MONDAY)] == [
        datetime(2030, 1, 7, 3, 15, tzinfo=UTC), datetime(2030, 1, 7, 4, 15, tzinfo=UTC),
    ]  # fmt: skip


def test_slots_of_night_belong_to_day_they_begin():
    found = timetable("22:00-02:00")

    assert local(found, found.list_slots(MONDAY)) == ["07 00:00", "07 01:00", "07 22:00", "07 23:00"]


def test_overlapping_hours_yield_no_duplicate_slots():
    found = timetable("01:00-03:00", "20:00-02:00")

    assert local(found, found.list_slots(MONDAY)) == [
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
def test_always_open_store_has_all_hours(zone, day, hours):
    found = timetable(zone=zone)
    slots = found.list_slots(day)

    assert len(slots) == hours
    assert all(earlier.ends_at == later.starts_at for earlier, later in pairwise(slots))
    assert slots[0].starts_at.astimezone(zone).hour == 0
    assert found.list_slots(day + timedelta(days=1))[0].starts_at == slots[-1].ends_at


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2030, 3, 31), ["31 00:00", "31 02:00", "31 03:00"]),
        (date(2030, 10, 27), ["27 00:00", "27 01:00", "27 01:00", "27 02:00", "27 03:00"]),
    ],
)
def test_clock_change_skips_and_repeats_slots(day, expected):
    found = timetable("00:00-04:00")

    assert local(found, found.list_slots(day)) == expected


def test_exception_replaces_day():
    holiday = {MONDAY: (), MONDAY + timedelta(days=1): (to_minutes("12:00", "13:00"),)}
    found = timetable("09:00-10:00", exceptions=holiday)

    assert local(found, found.list_slots(MONDAY)) == []
    assert local(found, found.list_slots(MONDAY + timedelta(days=1))) == ["08 12:00"]


def test_bookable_slots_respect_notice_and_horizon():
    found = timetable("09:00-12:00", lead_minutes=90, horizon_days=2)
    now = datetime(2030, 1, 7, 8, 30, tzinfo=UTC)

    slots = list(found.iter_bookable(now))

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
    assert found.get_last_day(now) == date(2030, 1, 9)


def test_nearest_slots_are_last_before_and_first_after():
    found = timetable("09:00-11:00", week=(((540, 660),), (), (), ((540, 660),), (), (), ()))
    now = datetime(2030, 1, 7, 8, 0, tzinfo=UTC)

    assert local(found, found.list_nearest(datetime(2030, 1, 9, 12, 0, tzinfo=UTC), now)) == ["07 10:00", "10 09:00"]
    assert local(found, found.list_nearest(datetime(2030, 1, 13, 12, 0, tzinfo=UTC), now)) == ["10 10:00", "14 09:00"]
    assert local(found, found.list_nearest(datetime(2030, 1, 7, 8, 30, tzinfo=UTC), now)) == ["07 09:00"]


def test_store_that_never_opens_has_no_slots():
    found = timetable(week=((),) * 7)
    now = datetime(2030, 1, 7, 8, 0, tzinfo=UTC)

    assert (found.list_slots(MONDAY), list(found.iter_bookable(now)), found.list_nearest(now, now)) == ([], [], [])


ZONES = ["Europe/Lisbon", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo"]
MINUTES = st.tuples(st.integers(0, 1439), st.integers(1, 1440)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    day=st.dates(date(2024, 1, 1), date(2030, 12, 31)),
    week=st.lists(st.lists(MINUTES, max_size=1), min_size=7, max_size=7),
    minutes=st.integers(5, 480),
)
def test_slots_are_ordered_disjoint_and_within_hours(zone, day, week, minutes):
    hours = Hours(tuple(map(tuple, week)), {})
    found = Timetable(zone, hours, SlotRules(minutes, 1, 0, 7))

    slots = [slot for number in range(-1, 2) for slot in found.list_slots(day + timedelta(days=number))]

    assert all(earlier.ends_at <= later.starts_at for earlier, later in pairwise(slots))
    for slot in found.list_slots(day):
        assert slot.starts_at.astimezone(zone).date() == day
        assert found.find_slot(slot.starts_at) == slot
        assert hours.is_open(zone, slot.starts_at)
        assert hours.is_open(zone, slot.ends_at - timedelta(seconds=1))
