"""Dates in requests."""

import re
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _check_iso_date(value: Any) -> Any:
    # pydantic would also read 0 as the first day of 1970.
    if isinstance(value, str) and not ISO_DAY.fullmatch(value):
        raise ValueError("must be a date such as 2026-02-28")
    if not isinstance(value, str | date):
        raise ValueError("must be a date such as 2026-02-28")
    return value


def _check_range(day: date) -> date:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"must be between {FIRST_DAY} and {LAST_DAY}")
    return day


# A day of the hotel's local calendar, without a time.
Day = Annotated[date, BeforeValidator(_check_iso_date)]
# A day that others can be counted from, within the range of Python's dates.
CalendarDay = Annotated[Day, AfterValidator(_check_range)]
