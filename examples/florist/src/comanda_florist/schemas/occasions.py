"""Requests about occasions."""

from typing import Annotated

from comanda.contracts import Body, Count, Name, ShortText, Text
from pydantic import Field

from comanda_florist.schemas.items import Month

DayOfMonth = Annotated[Count, Field(ge=1, le=31)]
Phone = Annotated[ShortText, Field(max_length=50)]


class OccasionBody(Body):
    """A day of the year on which somebody receives flowers."""

    recipient_name: Name
    what: Name
    month: Month
    day: DayOfMonth
    remind_days_before: Annotated[Count, Field(le=60)] | None = None
    phone: Phone | None = None
    note: Text | None = None


class OccasionChange(Body):
    """Changes to an occasion; omitted fields are kept, an empty text clears an optional field."""

    recipient_name: Name | None = None
    what: Name | None = None
    month: Month | None = None
    day: DayOfMonth | None = None
    remind_days_before: Annotated[Count, Field(le=60)] | None = None
    phone: Phone | None = None
    note: Text | None = None
