"""The periods of partitions and their names."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from comanda.contracts import Period
from comanda_cluster.services.partitions.periods import build_name, get_end, get_start, parse_start


@pytest.mark.parametrize(
    ("period", "day", "start", "end"),
    [
        (Period.MONTH, date(2026, 12, 31), date(2026, 12, 1), date(2027, 1, 1)),
        (Period.MONTH, date(2028, 2, 29), date(2028, 2, 1), date(2028, 3, 1)),
        (Period.WEEK, date(2026, 11, 29), date(2026, 11, 23), date(2026, 11, 30)),
        (Period.WEEK, date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 7)),
    ],
)
def test_periods_follow_each_other(period, day, start, end):
    assert get_start(period, datetime(day.year, day.month, day.day, 23, tzinfo=UTC)) == start
    assert get_end(period, start) == end


def test_periods_begin_in_utc():
    new_york = timezone(timedelta(hours=-5))

    assert get_start(Period.MONTH, datetime(2026, 11, 30, 20, tzinfo=new_york)) == date(2026, 12, 1)


@pytest.mark.parametrize(
    ("period", "start", "name"),
    [
        (Period.MONTH, date(2026, 12, 1), "core_audit_entry_2026_12"),
        (Period.WEEK, date(2026, 11, 30), "core_audit_entry_2026_11_30"),
    ],
)
def test_name_tells_the_period(period, start, name):
    assert build_name("core_audit_entry", period, start) == name
    assert parse_start(name) == start


def test_other_names_tell_none():
    assert parse_start("core_audit_entry") is None
