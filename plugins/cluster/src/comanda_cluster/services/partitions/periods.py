"""The periods of partitions, and the names that tell them."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from comanda.contracts import Period

PERIOD_IN_NAME: Final = re.compile(r"_(\d{4})_(\d{2})(?:_(\d{2}))?$")


def get_start(period: Period, moment: datetime) -> date:
    """Return the first day of the period of a moment."""
    day = moment.astimezone(UTC).date()
    return day.replace(day=1) if period is Period.MONTH else day - timedelta(days=day.weekday())


def get_end(period: Period, start: date) -> date:
    """Return the first day after the period that begins with ``start``."""
    if period is Period.WEEK:
        return start + timedelta(days=7)
    return (start + timedelta(days=31)).replace(day=1)


def to_moment(day: date) -> datetime:
    """Return the moment in which a day begins."""
    return datetime.combine(day, time(), UTC)


def build_name(table: str, period: Period, start: date) -> str:
    """Return the name of the partition of a period, such as ``core_outbox_2026_11_30`` of a week."""
    return f"{table}_{start:%Y_%m}" if period is Period.MONTH else f"{table}_{start:%Y_%m_%d}"


def parse_start(name: str) -> date | None:
    """Return the first day of the period of a partition, or None if the name is of another form."""
    found = PERIOD_IN_NAME.search(name)
    return date(int(found[1]), int(found[2]), int(found[3] or 1)) if found else None
