"""The queries of accounting."""

from enum import StrEnum
from typing import Annotated

from comanda.contracts import Body
from comanda.stores import LocalDate
from pydantic import Field


class AccountingFormat(StrEnum):
    """The files of a period: a journal for any program, or a ``Buchungsstapel`` for DATEV."""

    JOURNAL = "journal"
    DATEV = "datev"


class PeriodQuery(Body):
    """The days of a file, at most 366."""

    from_: Annotated[
        LocalDate | None, Field(alias="from", description="The first day; by default 29 days before the last one.")
    ] = None
    to: Annotated[LocalDate | None, Field(description="The last day (inclusive); by default today.")] = None


class AccountingExportQuery(PeriodQuery):
    """The days of a file, and its format."""

    format: Annotated[AccountingFormat, Field(description="The format of the file.")] = AccountingFormat.JOURNAL
