"""The tables of reports and closings as CSV files for spreadsheets."""

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from comanda.basics import BYTE_ORDER_MARK, Money, to_cell, to_percent
from comanda.contracts import Answer

from comanda_closings.records import (
    CategoryTotal,
    DayFigures,
    Figures,
    SalesTotal,
    StaffTotal,
    TaxTotal,
    TenderTotal,
    Totals,
)

CONTENT_TYPE: Final = "text/csv"


class ReportTable(StrEnum):
    """The tables of a report."""

    FIGURES = "figures"
    DAYS = "days"
    TAXES = "taxes"
    TENDERS = "tenders"
    HOURS = "hours"
    CATEGORIES = "categories"
    CHANNELS = "channels"
    TYPES = "types"
    STAFF = "staff"


RECORDS: Final[dict[ReportTable, type]] = {
    ReportTable.TAXES: TaxTotal,
    ReportTable.TENDERS: TenderTotal,
    ReportTable.HOURS: SalesTotal,
    ReportTable.CATEGORIES: CategoryTotal,
    ReportTable.CHANNELS: SalesTotal,
    ReportTable.TYPES: SalesTotal,
    ReportTable.STAFF: StaffTotal,
}


def to_csv(table: ReportTable, totals: Totals, days: Sequence[DayFigures], first: date, last: date) -> Answer:
    """Return the file of one table; ``days`` are the figures of each day, for the table of that name."""
    text = io.StringIO()
    csv.writer(text).writerows([to_cell(_to_value(value)) for value in row] for row in _list_rows(table, totals, days))
    headers = {"Content-Disposition": f'attachment; filename="{table}-{first}-{last}.csv"'}
    body = f"{BYTE_ORDER_MARK}{text.getvalue()}".encode()
    return Answer(body, headers=headers, content_type=f"{CONTENT_TYPE}; charset=utf-8")


def _list_rows(table: ReportTable, totals: Totals, days: Sequence[DayFigures]) -> list[list[Any]]:
    names = [each.name for each in fields(Figures)]
    if table is ReportTable.FIGURES:
        return [["figure", "value"], *([name, getattr(totals.figures, name)] for name in names)]
    if table is ReportTable.DAYS:
        return [["date", *names], *([day.date, *(getattr(day.figures, name) for name in names)] for day in days)]
    head = [each.name for each in fields(RECORDS[table])]
    rows = [[getattr(record, name) for name in head] for record in getattr(totals, table)]
    if table is ReportTable.TAXES:
        rows = [[to_percent(rate), *amounts] for rate, *amounts in rows]
    return [head, *rows]


def _to_value(value: Any) -> Any:
    return Decimal(value.to_decimal_string()) if isinstance(value, Money) else value
