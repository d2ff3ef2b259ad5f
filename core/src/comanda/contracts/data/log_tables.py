"""Log tables: rows that are appended, settle soon, and are not needed once they are old."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class Period(StrEnum):
    """What one partition of a log table covers, in UTC; weeks begin on Monday."""

    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class LogTable:
    """A table that ``comanda partitions`` can divide by id, so that old rows are dropped as a whole and not deleted.

    ``kept`` is the condition on a row ``q`` that is still needed, with ``$1`` as the moment before which rows are old:
    ``retention`` ago. A partition is dropped once it has no such row, so rows stay for up to one period longer.

    The table has an identity column ``id``, which is part of each of its unique keys, and no triggers. The task that
    deletes its rows stops once ``comanda.platform.db.partitions.is_partitioned`` says so.
    """

    name: str
    period: Period
    retention: Callable[[], timedelta]
    kept: str
