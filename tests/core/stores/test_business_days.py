"""The day of a moment: properties over all time zones, clock changes and cut-off hours."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from comanda.stores.business_days import get_day, get_day_start
from hypothesis import example, given
from hypothesis import strategies as st

DAY = timedelta(days=1)
ZONES = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
# The years 1990 to 2036.
MOMENTS = st.integers(631_152_000, 2_114_380_800).map(lambda second: datetime.fromtimestamp(second, UTC))
STARTS = st.integers(0, 1439)
# The clock is set back at 03:00, and at one minute past midnight into the day before.
BERLIN, ST_JOHNS = ZoneInfo("Europe/Berlin"), ZoneInfo("America/St_Johns")
AUTUMN = datetime(2026, 10, 25, 1, 15, tzinfo=UTC)
NEWFOUNDLAND = datetime(2010, 11, 7, 2, 30, 30, tzinfo=UTC)


@given(MOMENTS, ZONES, STARTS)
@example(AUTUMN, BERLIN, 150)
@example(NEWFOUNDLAND, ST_JOHNS, 0)
def test_a_moment_is_between_the_starts_of_its_day_and_the_next(moment, zone, start):
    day = get_day(moment, zone, start)

    assert get_day_start(day, zone, start) <= moment < get_day_start(day + DAY, zone, start)


@given(MOMENTS, st.timedeltas(timedelta(0), timedelta(hours=30)), ZONES, STARTS)
@example(AUTUMN - timedelta(minutes=30), timedelta(minutes=30), BERLIN, 150)
@example(NEWFOUNDLAND, timedelta(minutes=2), ST_JOHNS, 0)
def test_days_never_go_back(moment, later, zone, start):
    assert get_day(moment, zone, start) <= get_day(moment + later, zone, start)


@given(st.dates(date(1990, 1, 1), date(2036, 12, 31)), ZONES, STARTS)
def test_days_follow_each_other_without_gap(day, zone, start):
    first, following = get_day_start(day, zone, start), get_day_start(day + DAY, zone, start)

    # A zone that moved over the date line has skipped a day or had one twice.
    assert timedelta(0) <= following - first <= 2 * DAY
    if first < following:
        assert get_day(first, zone, start) == day
        assert get_day(following - timedelta(microseconds=1), zone, start) == day


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-07-01T01:59:59+00:00", "2026-06-30"),
        ("2026-07-01T02:00:00+00:00", "2026-07-01"),
        ("2026-12-01T02:59:59+00:00", "2026-11-30"),
        ("2026-12-01T03:00:00+00:00", "2026-12-01"),
        # 25 October: 03:00 becomes 02:00.
        ("2026-10-25T02:59:59+00:00", "2026-10-24"),
        ("2026-10-25T03:00:00+00:00", "2026-10-25"),
    ],
)
def test_business_day_begins_at_four_by_the_stores_clock(moment, day):
    assert get_day(datetime.fromisoformat(moment), BERLIN, 240).isoformat() == day
