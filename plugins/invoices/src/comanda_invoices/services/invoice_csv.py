"""Invoices and credit notes as a CSV file for spreadsheets."""

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

from comanda.basics import BYTE_ORDER_MARK, Money, to_cell
from comanda.contracts import Answer

from comanda_invoices.records import InvoiceSummary

CONTENT_TYPE: Final = "text/csv"
COLUMNS: Final = tuple(each.name for each in fields(InvoiceSummary) if each.name not in {"id", "store_id"})


def to_csv(invoices: Sequence[InvoiceSummary], name: str) -> Answer:
    """Return the file."""
    rows = [COLUMNS, *([getattr(invoice, column) for column in COLUMNS] for invoice in invoices)]
    text = io.StringIO()
    csv.writer(text).writerows([to_cell(_to_value(value)) for value in row] for row in rows)
    headers = {"InvoiceContent-Disposition": f'attachment; filename="invoices-{name}.csv"'}
    body = f"{BYTE_ORDER_MARK}{text.getvalue()}".encode()
    return Answer(body, headers=headers, content_type=f"{CONTENT_TYPE}; charset=utf-8")


def _to_value(value: Any) -> Any:
    return Decimal(value.to_decimal_string()) if isinstance(value, Money) else value
