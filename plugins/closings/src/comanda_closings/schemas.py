"""Queries and bodies of day reports and closings."""

from typing import Annotated, Final

from comanda.contracts import Body
from comanda.stores import DayKind, LocalDate
from pydantic import Field

from comanda_closings.services.tables import ReportTable

MAX_STORES: Final = 20


class DayReportQuery(Body):
    """The days of a report, at most 366, and the stores."""

    from_: Annotated[LocalDate | None, Field(alias="from", description="The first day; by default the last one.")] = (
        None
    )
    to: Annotated[LocalDate | None, Field(description="The last day (inclusive); by default today.")] = None
    day: Annotated[DayKind, Field(description="Which days `from` and `to` are.")] = DayKind.BUSINESS
    also: Annotated[
        str | None,
        Field(
            max_length=400,
            pattern=r"^[0-9]{1,18}(,[0-9]{1,18})*$",
            description="Ids of further stores, separated by commas, whose figures are added; of the same currency.",
        ),
    ] = None

    @property
    def further_store_ids(self) -> list[int]:
        """The ids in ``also``."""
        return [int(text) for text in self.also.split(",")] if self.also else []


class DayReportExportQuery(DayReportQuery):
    """The days, and which table of the report to send."""

    table: Annotated[ReportTable, Field(description="The table of the report.")] = ReportTable.FIGURES


class TableQuery(Body):
    """Which table of a closing to send."""

    table: Annotated[ReportTable, Field(description="The table of the report.")] = ReportTable.FIGURES


class ClosingBody(Body):
    """The last business day to close, by default today; days before it that are open are closed with it."""

    day: LocalDate | None = None
