"""The fields of items: the windows of time and the days within which they are sold."""

from datetime import date
from operator import not_
from typing import Annotated, Final

from comanda.contracts import TimeOfDay, TimeWindow, Weekday, time_windows
from comanda.stores import LocalDate
from comanda.web import N_, WEEKDAY_LABELS
from pydantic import BaseModel, Field, ValidationInfo, field_validator

MAX_WINDOWS: Final = 10
TOO_EARLY: Final = N_("Must not be before the first day of sale.")

DAY_LABELS: Final = dict(zip(Weekday, WEEKDAY_LABELS, strict=True))


Days = Annotated[
    time_windows.Days,
    Field(json_schema_extra={"x-choices": [{"value": str(day), "label": label} for day, label in DAY_LABELS.items()]}),
]


class SoldWindow(TimeWindow):
    """A time of day within which an item is sold, in the store's time zone; without ``days`` on each of them.

    It belongs to the day on which it begins. One whose ``until`` is not later than ``from`` ends on the next day.
    """

    days: Days = Field(default=[], title=N_("Days"), exclude_if=not_)
    from_: TimeOfDay = Field(alias="from", title=N_("From"))
    until: TimeOfDay = Field(title=N_("Until"))


class TimeFields(BaseModel):
    """When an item is sold; without windows all day, without days always. ``sold_until`` is the last day."""

    sold_at: Annotated[list[SoldWindow], Field(max_length=MAX_WINDOWS)] = Field(
        default=[], title=N_("Sold at"), exclude_if=not_
    )
    sold_from: LocalDate | None = Field(default=None, title=N_("First day of sale"), exclude_if=not_)
    sold_until: LocalDate | None = Field(default=None, title=N_("Last day of sale"), exclude_if=not_)

    @field_validator("sold_until")
    @classmethod
    def _check_order(cls, last: date | None, info: ValidationInfo) -> date | None:
        first = info.data.get("sold_from")
        if last is not None and first is not None and last < first:
            raise ValueError(TOO_EARLY)
        return last
