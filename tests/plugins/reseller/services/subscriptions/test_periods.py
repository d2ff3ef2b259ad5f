"""Periods keep their day, and never overlap or leave gaps."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from comanda_reseller.models import Interval
from comanda_reseller.services.subscriptions.periods import add_periods, scale_to_month
from hypothesis import given
from hypothesis import strategies as st

FIRST = datetime(2000, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 100 * 366 * 24 * 60).map(lambda minutes: FIRST + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("count", "expected"), [(1, (2028, 2, 29)), (2, (2028, 3, 31)), (3, (2028, 4, 30)), (13, (2029, 2, 28))]
)
def test_months_from_the_31st_end_on_the_last_day(count, expected):
    anchor = datetime(2028, 1, 31, 9, 30, tzinfo=UTC)

    assert add_periods(anchor, Interval.MONTH, count) == datetime(*expected, 9, 30, tzinfo=UTC)


def test_years_from_a_leap_day_return_to_it():
    anchor = datetime(2028, 2, 29, tzinfo=UTC)

    assert add_periods(anchor, Interval.YEAR, 1) == datetime(2029, 2, 28, tzinfo=UTC)
    assert add_periods(anchor, Interval.YEAR, 4) == datetime(2032, 2, 29, tzinfo=UTC)


def test_spans_of_30_days_do_not_follow_the_calendar():
    anchor = datetime(2030, 1, 31, tzinfo=UTC)

    assert add_periods(anchor, Interval.DAYS_30, 2) == anchor + timedelta(days=60)


@given(MOMENTS, st.sampled_from(Interval), st.integers(0, 120))
def test_periods_follow_each_other(anchor, interval, number):
    start, end = add_periods(anchor, interval, number), add_periods(anchor, interval, number + 1)

    assert timedelta(days=27) < end - start <= timedelta(days=366)


def test_prices_are_compared_per_month():
    assert Fraction(*scale_to_month(12_00, Interval.YEAR)) == 100
    assert Fraction(*scale_to_month(480, Interval.DAYS_30)) == 487
    assert Fraction(*scale_to_month(100, Interval.MONTH)) == 100
