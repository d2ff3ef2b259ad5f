"""Requests, fields and tool arguments of tool hire."""

from datetime import date
from typing import Annotated

from comanda.contracts import Arguments, Body, Count, Id
from pydantic import BaseModel, Field

FirstDay = Annotated[date, Field(title="First day", description="The day on which the tools are picked up.")]
LastDay = Annotated[date, Field(title="Last day", description="The day on which the tools are brought back.")]


class ToolFields(BaseModel):
    """Fields of a tool in addition to its name and its price, which is for one day."""

    pieces: Annotated[Count, Field(ge=1, le=999, description="How many the shop has.")] = 1


class HireFields(BaseModel):
    """The days of a hire, dates of the shop's local calendar; both count."""

    hire_from: FirstDay
    hire_until: LastDay


class BookedLine(BaseModel):
    """What a line of an order has booked: the numbers of its pieces, and when they were brought back."""

    pieces: list[int] = []
    returned_on: date | None = None


class ReturnBody(Body):
    """The return of all tools of an order, by default today."""

    returned_on: date | None = None


class DaysQuery(Body):
    """The days of a hire."""

    first_day: FirstDay
    last_day: LastDay


class FreeToolsArguments(Arguments):
    """A shop and the days of a hire."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    first_day: Annotated[date, Field(description="First day of the hire, as in 2026-05-01.")]
    last_day: Annotated[date, Field(description="Last day of the hire, which counts.")]
