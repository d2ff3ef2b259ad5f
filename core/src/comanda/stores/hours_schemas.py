"""Request and response bodies of opening hours: the store's local times by weekday and by date."""

import re
from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo, field_validator

from comanda.contracts import opening_hours
from comanda.contracts.requests.fields import Body, ShortText

MAX_INTERVALS = 10
MAX_EXCEPTIONS = 400
ALLOWED_YEARS = range(2000, 2100)
# The hours of a store without configured hours, used when its first hours are set one day at a time.
ROUND_THE_CLOCK: Final[Mapping[str, Any]] = {
    **{day: [{"open": "00:00", "close": "24:00"}] for day in opening_hours.DAYS},
    "exceptions": [],
}


class IntervalOut(BaseModel):
    """An interval; a ``close`` that is not later than ``open`` is on the next day."""

    open: str
    close: str


class ExceptionOut(BaseModel):
    """The intervals that begin on one date, instead of its weekday's."""

    date: str
    is_closed: bool
    intervals: list[IntervalOut]
    note: str | None


class HoursOut(BaseModel):
    """Opening hours in the store's time zone; a day without intervals is closed."""

    monday: list[IntervalOut]
    tuesday: list[IntervalOut]
    wednesday: list[IntervalOut]
    thursday: list[IntervalOut]
    friday: list[IntervalOut]
    saturday: list[IntervalOut]
    sunday: list[IntervalOut]
    exceptions: list[ExceptionOut]


class IntervalBody(Body):
    """An interval in which a store is open, in its local time."""

    open: Annotated[
        str, Field(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", description="Local time HH:MM, 00:00 to 23:59.")
    ]
    close: Annotated[
        str,
        Field(
            pattern="^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",
            description="Local time HH:MM, 00:00 to 24:00. One that is not later than open is on the next day.",
        ),
    ]

    @property
    def minutes(self) -> opening_hours.Minutes:
        """The interval in minutes after midnight."""
        return opening_hours.to_minutes(self.open, self.close)


def _sort_intervals(intervals: list[IntervalBody]) -> list[IntervalBody]:
    if opening_hours.has_overlap([each.minutes for each in intervals]):
        raise ValueError("must not have intervals that overlap")
    return sorted(intervals, key=lambda each: each.minutes)


def _check_date_format(value: Any) -> Any:
    # Pydantic would read a number as seconds since 1970.
    if isinstance(value, str) and re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return value
    raise ValueError("must be a date such as 2026-12-25")


def _check_year(day: date) -> date:
    if day.year not in ALLOWED_YEARS:
        raise ValueError(f"must be a date between the years {ALLOWED_YEARS.start} and {ALLOWED_YEARS.stop - 1}")
    return day


LocalDate = Annotated[date, BeforeValidator(_check_date_format), AfterValidator(_check_year)]
Weekday = Annotated[
    list[IntervalBody],
    Field(max_length=MAX_INTERVALS, description="The intervals that begin on this weekday; an empty list is closed."),
    AfterValidator(_sort_intervals),
]


class ExceptionBody(Body):
    """The intervals that begin on one date, instead of its weekday's."""

    date: LocalDate = Field(description="The local date, YYYY-MM-DD.")
    is_closed: bool | None = Field(
        None, description="Whether the store is closed; derived from the intervals if left out."
    )
    intervals: Annotated[list[IntervalBody], AfterValidator(_sort_intervals)] = Field(
        [], max_length=MAX_INTERVALS, validate_default=True, description="The intervals that begin on this date."
    )
    note: ShortText | None = Field(None, description="The reason, such as Christmas.")

    @field_validator("intervals")
    @classmethod
    def _check_intervals(cls, intervals: list[IntervalBody], info: ValidationInfo) -> list[IntervalBody]:
        is_closed = info.data.get("is_closed")
        if is_closed and intervals:
            raise ValueError("must be empty on a date that is closed")
        if is_closed is False and not intervals:
            raise ValueError("needs an interval on a date that is not closed")
        return intervals


def _check_unique_dates(exceptions: list[ExceptionBody]) -> list[ExceptionBody]:
    found = sorted(exceptions, key=lambda each: each.date)
    for earlier, later in pairwise(found):
        if earlier.date == later.date:
            raise ValueError(f"must name a date only once, and names {later.date} again")
    return found


Exceptions = Annotated[
    list[ExceptionBody],
    Field(max_length=MAX_EXCEPTIONS, description="Dates that differ from their weekday; replaces the current list."),
    AfterValidator(_check_unique_dates),
]


class HoursBody(Body):
    """Hours of a whole week, so that no day is left out by mistake, and the dates that differ."""

    monday: Weekday
    tuesday: Weekday
    wednesday: Weekday
    thursday: Weekday
    friday: Weekday
    saturday: Weekday
    sunday: Weekday
    exceptions: Exceptions = []


class HoursChange(Body):
    """Days to change; days that are left out or null stay as they are."""

    monday: Weekday | None = None
    tuesday: Weekday | None = None
    wednesday: Weekday | None = None
    thursday: Weekday | None = None
    friday: Weekday | None = None
    saturday: Weekday | None = None
    sunday: Weekday | None = None
    exceptions: Exceptions | None = None


def to_stored_hours(given: HoursBody | HoursChange) -> dict[str, Any]:
    """Return hours as a store's column ``hours`` holds them."""
    names = {*opening_hours.DAYS, "exceptions"} - {name for name, value in given if value is None}
    found = given.model_dump(mode="json", include=names)
    for exception in found.get("exceptions", []):
        exception["is_closed"] = not exception["intervals"]
    return found
