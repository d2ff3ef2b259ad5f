"""Requests and answers about occasions."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count, Name, ShortText, Text
from pydantic import BaseModel, Field

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


class OccasionOut(BaseModel):
    """An occasion; ``next_on`` is its next date, ``remind_at`` the owner's next reminder.

    ``order_id`` is the gift that it was created from, null if the owner created it.
    """

    id: int
    recipient_name: str
    what: str
    month: int
    day: int
    next_on: date
    remind_days_before: int
    remind_at: datetime
    phone: str | None
    note: str | None
    order_id: int | None
    created_at: datetime
