"""Arithmetic of billing periods: calendar months and years that keep their day, and spans of 30 days.

Every period is counted from an anchor and not from the period before it, so that a subscription that began on the 31st
renews on the last day of short months and on the 31st again after them.
"""

from calendar import monthrange
from datetime import datetime, timedelta

from comanda_reseller.models import Interval

MONTHS_PER_YEAR = 12
SPAN = timedelta(days=30)


def add_periods(anchor: datetime, interval: Interval, count: int) -> datetime:
    """Return the moment ``count`` periods after ``anchor``, in UTC as the anchor is."""
    if interval is Interval.DAYS_30:
        return anchor + count * SPAN
    months = count * (MONTHS_PER_YEAR if interval is Interval.YEAR else 1)
    return _add_months(anchor, months)


def scale_to_month(price_minor: int, interval: Interval) -> tuple[int, int]:
    """Return what a price is per month, as an exact fraction, to compare plans and to sum up recurring revenue.

    Source: 30 days are 365.25 / 12 / 30 = 487/480 of a month, on average over leap years.
    """
    if interval is Interval.YEAR:
        return price_minor, MONTHS_PER_YEAR
    if interval is Interval.DAYS_30:
        return price_minor * 487, 480
    return price_minor, 1


def _add_months(anchor: datetime, months: int) -> datetime:
    year, month = divmod(anchor.year * MONTHS_PER_YEAR + anchor.month - 1 + months, MONTHS_PER_YEAR)
    day = min(anchor.day, monthrange(year, month + 1)[1])
    return anchor.replace(year=year, month=month + 1, day=day)
