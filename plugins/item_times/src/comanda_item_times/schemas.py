"""The fields of items: the windows of time and the days within which they are sold."""

import re
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Final

from comanda.stores import LocalDate
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

TIME: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
MAX_WINDOWS: Final = 10
TOO_EARLY: Final = N_("Must not be before the first day of sale.")


class Weekday(StrEnum):
    """A day of the week, in their order."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"
    SUN = "sun"


WEEKDAY_LABELS: Final = {
    Weekday.MON: N_("Monday"),
    Weekday.TUE: N_("Tuesday"),
    Weekday.WED: N_("Wednesday"),
    Weekday.THU: N_("Thursday"),
    Weekday.FRI: N_("Friday"),
    Weekday.SAT: N_("Saturday"),
    Weekday.SUN: N_("Sunday"),
}


def _is_empty(value: Any) -> bool:
    return not value


def _sort_days(days: list[Weekday]) -> list[Weekday]:
    return [day for day in Weekday if day in days]


def _check_time(text: str) -> str:
    if not re.match(TIME, text):
        raise ValueError("must be a time of day such as 18:30")
    return text


Days = Annotated[
    list[Weekday],
    Field(
        max_length=len(Weekday),
        json_schema_extra={"x-choices": [{"value": str(day), "label": label} for day, label in WEEKDAY_LABELS.items()]},
    ),
    AfterValidator(_sort_days),
]
TimeOfDay = Annotated[str, AfterValidator(_check_time), Field(json_schema_extra={"format": "time", "pattern": TIME})]


class SoldWindow(BaseModel):
    """A time of day within which an item is sold, in the store's time zone; without ``days`` on each of them.

    It belongs to the day on which it begins. One whose ``until`` is not later than ``from`` ends on the next day.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    days: Days = Field(default=[], title=N_("Days"), exclude_if=_is_empty)
    from_: TimeOfDay = Field(alias="from", title=N_("From"))
    until: TimeOfDay = Field(title=N_("Until"))


class TimeFields(BaseModel):
    """When an item is sold; without windows all day, without days always. ``sold_until`` is the last day."""

    sold_at: Annotated[list[SoldWindow], Field(max_length=MAX_WINDOWS)] = Field(
        default=[], title=N_("Sold at"), exclude_if=_is_empty
    )
    sold_from: LocalDate | None = Field(default=None, title=N_("First day of sale"), exclude_if=_is_empty)
    sold_until: LocalDate | None = Field(default=None, title=N_("Last day of sale"), exclude_if=_is_empty)

    @field_validator("sold_until")
    @classmethod
    def _check_order(cls, last: date | None, info: ValidationInfo) -> date | None:
        first = info.data.get("sold_from")
        if last is not None and first is not None and last < first:
            raise ValueError(TOO_EARLY)
        return last
