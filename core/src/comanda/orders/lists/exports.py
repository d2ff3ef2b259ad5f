"""Files of orders for spreadsheets and programs, written page by page, so that their length costs no memory."""

import csv
import io
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from comanda.basics.csv_tables import BYTE_ORDER_MARK, to_cell
from comanda.basics.encoding import to_json
from comanda.basics.money import get_exponent
from comanda.orders.lists.search import OrderFilter, OrderScope, read_pages
from comanda.orders.order_json import to_order_summary_json
from comanda.orders.records import Order

PAGE_SIZE: Final = 250

AMOUNTS: Final[Mapping[str, str]] = {
    "subtotal": "subtotal_minor",
    "discount_total": "discount_total_minor",
    "service_charge": "service_charge_minor",
    "delivery_fee": "delivery_fee_minor",
    "charges": "charges_minor",
    "tax_total": "tax_total_minor",
    "tip_amount": "tip_minor",
    "rounding": "rounding_minor",
    "total": "total_minor",
    "paid_total": "paid_minor",
    "refunded_total": "refunded_minor",
    "amount_due": "amount_due_minor",
}
# Named as in the JSON of the list. The track token is left out, since it opens the order's page to whoever has it.
COLUMNS: Final[Mapping[str, str]] = {
    "id": "id",
    "number": "number",
    "business_date": "business_date",
    "created_at": "created_at",
    "type": "type",
    "status": "status",
    "delivery_status": "delivery_status",
    "payment_status": "payment_status",
    "is_paid": "is_paid",
    "currency": "currency",
    **AMOUNTS,
    "tax_included": "is_tax_included",
    "coupon_code": "coupon_code",
    "customer_id": "customer_id",
    "customer_name": "customer_name",
    "phone": "phone",
    "address": "address",
    "table_number": "table_number",
    "room_number": "room_number",
    "scheduled_for": "scheduled_for",
    "note": "note",
    "source": "source",
    "updated_at": "updated_at",
}


class ExportFormat(StrEnum):
    """The format of a file of orders: CSV for spreadsheets, or a JSON document per line."""

    CSV = "csv"
    JSONL = "jsonl"


async def export_orders(scope: OrderScope, filters: OrderFilter, form: ExportFormat) -> AsyncGenerator[bytes, None]:
    """Return the parts of a file with all orders of a list, newest first. The caller has checked the scope.

    The first page is read at once, so that what fails there fails before an answer has begun.
    """
    pages = read_pages(scope, filters, PAGE_SIZE)
    return _encode(await anext(pages, []), pages, ENCODERS[form], HEADS[form])


async def _encode(
    first: list[Order], others: AsyncGenerator[list[Order], None], encode: Callable[[list[Order]], bytes], head: bytes
) -> AsyncGenerator[bytes, None]:
    yield head + encode(first)
    async for orders in others:
        yield encode(orders)


def _to_csv_rows(orders: list[Order]) -> bytes:
    return _to_csv([[_get_value(order, column) for column in COLUMNS] for order in orders])


def _get_value(order: Order, column: str) -> Any:
    value = getattr(order, COLUMNS[column])
    if column in AMOUNTS:
        # A decimal is no text: a negative one stays a number in spreadsheets.
        return Decimal(value).scaleb(-get_exponent(order.currency))
    return value.isoformat() if isinstance(value, datetime) else value


def _to_csv(rows: Sequence[Sequence[Any]]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([to_cell(value) for value in row] for row in rows)
    return written.getvalue().encode()


def _to_json_lines(orders: list[Order]) -> bytes:
    return b"".join(to_json(to_order_summary_json(order)) + b"\n" for order in orders)


HEADS: Final = {ExportFormat.CSV: BYTE_ORDER_MARK.encode() + _to_csv([list(COLUMNS)]), ExportFormat.JSONL: b""}
ENCODERS: Final = {ExportFormat.CSV: _to_csv_rows, ExportFormat.JSONL: _to_json_lines}
