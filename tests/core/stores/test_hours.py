"""What hours mean for a moment: past midnight, on exceptions, and where clocks are moved."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import orjson
import pytest
from comanda.contracts.opening_hours import DAYS, Hours, has_overlap, parse_hours, to_minutes
from hypothesis import given, settings
from hypothesis import strategies as st

LISBON = ZoneInfo("Europe/Lisbon")
NEW_YORK = ZoneInfo("America/New_York")
KATHMANDU = ZoneInfo("Asia/Kathmandu")
APIA = ZoneInfo("Pacific/Apia")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
PLAIN_UTC = ZoneInfo("UTC")
MINUTE = timedelta(minutes=1)

# 2026: the 16th of November is a Monday; New York springs forward on the 8th of March and falls back on the 1st of
# November.
MONDAY = date(2026, 11, 16)


def hours(exceptions=None, **week):
    """Make hours from texts such as ``monday="09:00-12:00 13:00-17:00"``; days left out are closed."""
    days = [week.get(day, week.get("daily", "")) for day in DAYS]
    return Hours(
        tuple(intervals(day) for day in days),
        {date.fromisoformat(day): intervals(text) for day, text in (exceptions or {}).items()},
    )


def intervals(text):
    return tuple(to_minutes(*each.split("-")) for each in text.split())


def at(text, zone=PLAIN_UTC, fold=0):
    """Read a local time of a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(openings, zone):
    return [tuple(f"{moment.astimezone(zone):%d %H:%M}" for moment in opening) for opening in openings]


def test_a_store_is_open_from_its_first_minute_to_before_its_last():
    week = hours(monday="09:00-17:30")

    assert not week.is_open(LISBON, at("2026-11-16 08:59:59.999999", LISBON))
    assert week.is_open(LISBON, at("2026-11-16 09:00", LISBON))
    assert week.is_open(LISBON, at("2026-11-16 17:29:59.999999", LISBON))
    assert not week.is_open(LISBON, at("2026-11-16 17:30", LISBON))
    assert not week.is_open(LISBON, at("2026-11-17 12:00", LISBON))


def test_hours_are_those_of_the_stores_zone_wherever_the_moment_comes_from():
    week = hours(monday="09:00-17:00")
    moment = at("2026-11-16 09:00", KATHMANDU)

    assert week.is_open(KATHMANDU, moment.astimezone(NEW_YORK))
    assert not week.is_open(KATHMANDU, moment - MINUTE)
    assert week.intervals_on(KATHMANDU, MONDAY) == [(utc("2026-11-16 03:15"), utc("2026-11-16 11:15"))]


@pytest.mark.parametrize("close", ["02:00", "00:00", "24:00", "18:00"])
def test_a_close_that_is_not_later_than_the_open_is_on_the_next_day(close):
    week = hours(monday=f"18:00-{close}")
    expected = {"02:00": "2026-11-17 02:00", "18:00": "2026-11-17 18:00"}.get(close, "2026-11-17 00:00")

    assert week.intervals_on(PLAIN_UTC, MONDAY) == [(utc("2026-11-16 18:00"), utc(expected))]
    assert week.intervals_on(PLAIN_UTC, date(2026, 11, 17)) == []
    assert week.is_open(PLAIN_UTC, utc(expected) - MINUTE)
    assert not week.is_open(PLAIN_UTC, utc(expected))
    assert week.closes_at(PLAIN_UTC, utc("2026-11-16 20:00")) == utc(expected)


def test_sundays_night_goes_on_into_monday():
    week = hours(sunday="22:00-03:00")

    assert week.is_open(PLAIN_UTC, utc("2026-11-16 02:59"))
    assert not week.is_open(PLAIN_UTC, utc("2026-11-15 02:59"))


def test_an_exception_replaces_what_begins_on_its_date_and_nothing_else():
    week = hours({"2026-12-25": "", "2026-12-26": "12:00-14:00", "2026-12-31": "20:00-06:00"}, daily="18:00-02:00")

    assert week.is_open(PLAIN_UTC, utc("2026-12-25 01:59"))  # the evening of the 24th
    assert not week.is_open(PLAIN_UTC, utc("2026-12-25 19:00"))
    assert not week.is_open(PLAIN_UTC, utc("2026-12-26 01:00"))
    assert week.is_open(PLAIN_UTC, utc("2026-12-26 13:00"))
    assert not week.is_open(PLAIN_UTC, utc("2026-12-26 19:00"))
    assert week.is_open(PLAIN_UTC, utc("2027-01-01 05:00"))
    assert week.next_open_at(PLAIN_UTC, utc("2026-12-25 02:00")) == utc("2026-12-26 12:00")
    assert week.closes_at(PLAIN_UTC, utc("2026-12-31 20:00")) == utc("2027-01-01 06:00")


def test_the_next_opening_of_an_open_store_is_now():
    week = hours(daily="09:00-12:00 13:00-17:00")

    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 10:10:10")) == utc("2026-11-16 10:10:10")
    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 12:00")) == utc("2026-11-16 13:00")
    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 17:00")) == utc("2026-11-17 09:00")


def test_moments_come_back_in_utc():
    week = hours(daily="09:00-12:00")
    noon = at("2026-11-16 12:00", KATHMANDU)

    found = [week.next_open_at(KATHMANDU, noon), week.next_open_at(KATHMANDU, noon - MINUTE)]
    found += [week.closes_at(KATHMANDU, noon - MINUTE), *week.intervals_on(KATHMANDU, MONDAY)[0]]

    assert {moment.tzinfo for moment in found} == {UTC}


def test_a_closed_store_closes_at_no_time():
    assert hours(daily="09:00-12:00").closes_at(PLAIN_UTC, utc("2026-11-16 12:00")) is None


@pytest.mark.parametrize("week", [hours(), hours({"2027-01-20": "10:00-11:00"}), hours({"2026-11-15": "10:00-11:00"})])
def test_nothing_within_sixty_days_is_no_next_opening(week):
    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 00:00")) is None


def test_an_opening_after_sixty_days_to_the_minute_is_told():
    week = hours({"2027-01-15": "10:00-11:00"})

    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 10:00")) == utc("2027-01-15 10:00")
    assert week.next_open_at(PLAIN_UTC, utc("2026-11-16 09:59")) is None


def test_intervals_that_touch_close_once():
    split = hours(monday="18:00-24:00", tuesday="00:00-02:00 02:00-03:00")
    always = hours(daily="00:00-24:00")

    assert split.closes_at(PLAIN_UTC, utc("2026-11-16 19:00")) == utc("2026-11-17 03:00")
    assert always.closes_at(PLAIN_UTC, utc("2026-11-16 19:00")) is None
    assert hours({"2026-12-25": ""}, daily="00:00-24:00").closes_at(PLAIN_UTC, utc("2026-12-01 19:00")) == utc(
        "2026-12-25 00:00"
    )


def test_a_night_on_which_clocks_go_forward_is_an_hour_shorter():
    week = hours(saturday="22:00-04:00")
    opened, closed = utc("2026-03-08 03:00"), utc("2026-03-08 08:00")

    assert week.intervals_on(NEW_YORK, date(2026, 3, 7)) == [(opened, closed)]
    assert local([(opened, closed)], NEW_YORK) == [("07 22:00", "08 04:00")]
    assert week.is_open(NEW_YORK, closed - MINUTE)
    assert not week.is_open(NEW_YORK, closed)


def test_an_open_within_the_skipped_hour_is_the_moment_of_the_skip():
    week = hours(sunday="02:30-05:00")

    assert week.intervals_on(NEW_YORK, date(2026, 3, 8)) == [(utc("2026-03-08 07:00"), utc("2026-03-08 09:00"))]
    assert week.is_open(NEW_YORK, at("2026-03-08 03:00", NEW_YORK))
    assert not week.is_open(NEW_YORK, at("2026-03-08 01:59", NEW_YORK))


def test_a_close_within_the_skipped_hour_is_the_moment_of_the_skip():
    week = hours(saturday="22:00-02:30")

    assert week.closes_at(NEW_YORK, utc("2026-03-08 05:00")) == utc("2026-03-08 07:00")


def test_an_interval_within_the_skipped_hour_does_not_happen():
    week = hours(sunday="02:15-02:45 12:00-13:00")

    assert local(week.intervals_on(NEW_YORK, date(2026, 3, 8)), NEW_YORK) == [("08 12:00", "08 13:00")]
    assert week.next_open_at(NEW_YORK, at("2026-03-08 01:00", NEW_YORK)) == at("2026-03-08 12:00", NEW_YORK)


def test_a_night_on_which_clocks_go_back_is_an_hour_longer():
    week = hours(saturday="22:00-04:00")
    opened, closed = utc("2026-11-01 02:00"), utc("2026-11-01 09:00")

    assert week.intervals_on(NEW_YORK, date(2026, 10, 31)) == [(opened, closed)]
    assert local([(opened, closed)], NEW_YORK) == [("31 22:00", "01 04:00")]
    assert all(week.is_open(NEW_YORK, at("2026-11-01 01:30", NEW_YORK, fold)) for fold in (0, 1))


def test_a_time_that_the_clock_shows_twice_counts_twice():
    week = hours(saturday="22:00-01:30")

    assert week.intervals_on(NEW_YORK, date(2026, 10, 31)) == [
        (utc("2026-11-01 02:00"), utc("2026-11-01 05:30")),
        (utc("2026-11-01 06:00"), utc("2026-11-01 06:30")),
    ]
    assert week.next_open_at(NEW_YORK, at("2026-11-01 01:40", NEW_YORK)) == utc("2026-11-01 06:00")


def test_clocks_that_move_by_half_an_hour():
    # From half past ten to eleven hours ahead on the 4th of October 2026 at two o'clock, back on the 5th of April.
    week = hours(sunday="01:00-04:00")

    forward = week.intervals_on(LORD_HOWE, date(2026, 10, 4))
    back = week.intervals_on(LORD_HOWE, date(2026, 4, 5))

    assert forward == [(utc("2026-10-03 14:30"), utc("2026-10-03 17:00"))]
    assert back == [(utc("2026-04-04 14:00"), utc("2026-04-04 17:30"))]


def test_a_day_that_a_zone_leaves_out_has_no_intervals():
    # Samoa went from the 29th of December 2011 straight to the 31st.
    week = hours(daily="09:00-17:00 22:00-02:00")

    assert week.intervals_on(APIA, date(2011, 12, 30)) == [(utc("2011-12-30 10:00"), utc("2011-12-30 12:00"))]
    assert local(week.intervals_on(APIA, date(2011, 12, 30)), APIA) == [("31 00:00", "31 02:00")]
    assert week.intervals_on(APIA, date(2011, 12, 29))[1] == (utc("2011-12-30 08:00"), utc("2011-12-30 10:00"))
    assert week.next_open_at(APIA, utc("2011-12-30 03:00")) == utc("2011-12-30 08:00")
    assert hours(daily="09:00-17:00").next_open_at(APIA, utc("2011-12-30 03:00")) == utc("2011-12-30 19:00")


def test_moments_at_the_ends_of_the_calendar_are_closed():
    always = hours(daily="00:00-24:00")

    for moment in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        for zone in (APIA, NEW_YORK, KATHMANDU):
            assert not always.is_open(zone, moment)
            assert always.next_open_at(zone, moment) is None
            assert always.closes_at(zone, moment) is None
    assert [always.intervals_on(zone, day) for zone in (APIA, NEW_YORK) for day in (date.min, date.max)] == [[]] * 4
    assert always.is_open(APIA, utc("9998-12-31 23:59"))
    assert always.next_open_at(APIA, utc("9998-12-31 23:59")) == utc("9998-12-31 23:59")


def test_hours_are_read_from_what_a_store_keeps():
    closed = {"date": "2026-12-25", "is_closed": True, "intervals": [], "note": "Christmas"}
    document = {day: [] for day in DAYS} | {"exceptions": [closed], "tuesday": [{"open": "18:00", "close": "02:00"}]}

    found = parse_hours(orjson.dumps(document).decode())

    assert found == Hours(((), ((1080, 1560),), (), (), (), (), ()), {date(2026, 12, 25): ()})
    assert parse_hours(None) is None


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("", False),
        ("09:00-12:00 12:00-13:00", False),
        ("09:00-12:00 11:59-13:00", True),
        ("22:00-03:00 00:00-02:00", False),
        ("22:00-03:00 23:00-24:00", True),
        ("00:00-00:00 12:00-13:00", True),
        ("13:00-14:00 09:00-13:00", False),
    ],
)
def test_intervals_of_one_day_overlap_or_not(day, expected):
    assert has_overlap(list(intervals(day))) is expected


def pieces(limit):
    """Draw intervals of one day in five-minute steps, which end at most a day after they began."""
    return (
        st.tuples(st.integers(0, 287), st.integers(1, 288))
        .map(lambda pair: (pair[0] * 5, sum(pair) * 5))
        .filter(lambda pair: pair[1] <= limit)
    )


days = st.lists(pieces(2875), max_size=3).map(tuple)
# Weeks around which clocks of these zones are moved, and ordinary ones.
WEEKS = [
    (NEW_YORK, date(2026, 3, 5)), (NEW_YORK, date(2026, 10, 29)), (LISBON, date(2026, 3, 26)),
    (LISBON, date(2026, 10, 22)), (LORD_HOWE, date(2026, 4, 2)), (APIA, date(2011, 12, 27)),
    (ZoneInfo("America/St_Johns"), date(2010, 11, 4)), (ZoneInfo("America/Havana"), date(2026, 10, 29)),
    (KATHMANDU, MONDAY), (PLAIN_UTC, MONDAY),
]  # fmt: skip


@st.composite
def situations(draw):
    zone, first = draw(st.sampled_from(WEEKS))
    found = Hours(
        tuple(draw(st.lists(days, min_size=7, max_size=7))),
        draw(st.dictionaries(st.integers(0, 9).map(lambda number: first + timedelta(number)), days, max_size=3)),
    )
    return found, zone, datetime(first.year, first.month, first.day, tzinfo=UTC)


@settings(max_examples=40)
@given(situations(), st.integers(0, 1439))
def test_minute_by_minute_a_week_is_closed_until_the_next_opening_and_open_until_the_next_closing(situation, start):
    found, zone, midnight = situation
    moment, end = midnight + start * MINUTE, midnight + timedelta(days=7)
    minutes = [moment + number * MINUTE for number in range((end - moment) // MINUTE)]
    is_open = [found.is_open(zone, minute) for minute in minutes]
    turns = [minute for minute, before, now in zip(minutes[1:], is_open, is_open[1:], strict=False) if before != now]

    told = []
    state = is_open[0]
    while moment is not None and moment < end:
        if state:
            assert found.next_open_at(zone, moment) == moment
        moment = found.closes_at(zone, moment) if state else found.next_open_at(zone, moment)
        told += [moment] if moment is not None and moment < end else []
        state = not state

    assert told == turns


@settings(max_examples=40)
@given(situations())
def test_a_store_is_open_in_exactly_the_intervals_of_its_days(situation):
    found, zone, midnight = situation
    first = midnight.date() - timedelta(days=2)
    openings = [each for number in range(6) for each in found.intervals_on(zone, first + timedelta(days=number))]

    for number in range(3 * 288):
        moment = midnight + number * 5 * MINUTE
        assert found.is_open(zone, moment) == any(start <= moment < end for start, end in openings)
