"""The queries of accounting."""

from typing import Annotated

from comanda.contracts import Body
from comanda.stores import LocalDate
from pydantic import Field


class PeriodQuery(Body):
    """The days of a file, at most 366."""

    from_: Annotated[
        LocalDate | None, Field(alias="from", description="The first day; by default 29 days before the last one.")
    ] = None
    to: Annotated[LocalDate | None, Field(description="The last day (inclusive); by default today.")] = None
