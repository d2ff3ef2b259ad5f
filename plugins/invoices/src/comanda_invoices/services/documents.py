"""The rows of invoices and credit notes, and the numbers that they get.

A number is drawn in the transaction that inserts its document, and the row of the series stays locked until then: so a
transaction that fails leaves no gap. It is the last row that such a transaction waits for.
"""

from collections.abc import Sequence
from typing import Final

from comanda.basics import Money, clock, extend_record
from comanda.orders import Bill
from comanda.platform.db import sql
from comanda.platform.events import publish
from comanda.stores import get_store_settings

from comanda_invoices.events import InvoiceIssued
from comanda_invoices.models import DocumentKind
from comanda_invoices.records import InvoiceContent, OrderInvoice
from comanda_invoices.services import contents_json
from comanda_invoices.store_settings import InvoiceSettings

DRAW_NUMBER: Final = """
    INSERT INTO invoices_series AS s (owner_id, prefix, last_number) VALUES ($1, $2, 1)
    ON CONFLICT (owner_id, prefix) DO UPDATE SET last_number = s.last_number + 1 RETURNING last_number
"""
INSERT_DOCUMENT: Final = """
    INSERT INTO invoices_document (owner_id, store_id, order_id, kind, prefix, number, invoice_id, issued_on, issued_at,
        issued_by, currency, total_minor, content, refund_keys)
    SELECT s.owner_id, s.id, $3, $4, $5, $6, $7, ($8::timestamptz AT TIME ZONE s.timezone)::date, $8, $9, $10, $11,
        $12::jsonb, $13::text[]
    FROM core_store_v1 s WHERE s.owner_id = $1 AND s.id = $2
    RETURNING id
"""
SELECT_DOCUMENTS: Final = """
    SELECT d.id, d.store_id, d.order_id, d.kind, d.prefix, d.number, d.invoice_id, d.issued_on, d.issued_at, d.currency,
        d.content, d.refund_keys, d.cancelled_at, i.prefix AS invoice_prefix, i.number AS invoice_number,
        (SELECT coalesce(-sum(c.total_minor), 0)::bigint FROM invoices_document c
            WHERE c.invoice_id = d.id AND c.owner_id = d.owner_id) AS credited_minor
    FROM invoices_document d LEFT JOIN invoices_document i ON i.id = d.invoice_id AND i.owner_id = d.owner_id
"""
SELECT_DOCUMENT: Final = f"{SELECT_DOCUMENTS} WHERE d.owner_id = $1 AND d.store_id = $2 AND d.id = $3"
SELECT_CURRENT: Final = f"""{SELECT_DOCUMENTS}
    WHERE d.owner_id = $1 AND d.order_id = $2 AND d.kind = '{DocumentKind.INVOICE}' AND d.cancelled_at IS NULL
"""
SELECT_OF_ORDER: Final = f"{SELECT_DOCUMENTS} WHERE d.owner_id = $1 AND d.order_id = $2 ORDER BY d.id DESC"
SELECT_CREDIT_NOTES: Final = """
    SELECT content, refund_keys FROM invoices_document WHERE owner_id = $1 AND invoice_id = $2 ORDER BY id
"""


def format_number(prefix: str, number: int) -> str:
    """Return the number of a document, such as ``INV-000017``."""
    return f"{prefix}{number:06}"


async def get_document(owner_id: int, store_id: int, document_id: int) -> OrderInvoice:
    """Return a document of a store. Raises ``NotFound``."""
    return _to_invoice(await sql.require_one(SELECT_DOCUMENT, owner_id, store_id, document_id))


async def find_current(owner_id: int, order_id: int) -> OrderInvoice | None:
    """Return the invoice of an order that is not cancelled."""
    row = await sql.fetch_one(SELECT_CURRENT, owner_id, order_id)
    return None if row is None else _to_invoice(row)


async def list_of_order(owner_id: int, order_id: int) -> list[OrderInvoice]:
    """Return the invoices and credit notes of an order, the newest first."""
    return [_to_invoice(row) for row in await sql.fetch(SELECT_OF_ORDER, owner_id, order_id)]


async def list_credit_notes(owner_id: int, invoice_id: int) -> tuple[list[InvoiceContent], set[str]]:
    """Return the contents of an invoice's credit notes, and the refunds that they take into account."""
    rows = await sql.fetch(SELECT_CREDIT_NOTES, owner_id, invoice_id)
    return [contents_json.from_json(row["content"]) for row in rows], {
        key for row in rows for key in row["refund_keys"]
    }


async def insert_document(
    bill: Bill,
    content: InvoiceContent,
    actor: str,
    *,
    invoice_id: int | None = None,
    refund_keys: Sequence[str] = (),
) -> OrderInvoice:
    """Issue an invoice, or a credit note of ``invoice_id``, in the open transaction that locks the order.

    Emits ``InvoiceIssued``.
    """
    prefix = (await get_store_settings(InvoiceSettings, bill.owner_id, bill.store_id)).prefix
    kind = DocumentKind.INVOICE if invoice_id is None else DocumentKind.CREDIT_NOTE
    number: int = await sql.fetch_value(DRAW_NUMBER, bill.owner_id, prefix)
    document_id: int = await sql.fetch_value(
        INSERT_DOCUMENT,
        *(bill.owner_id, bill.store_id, bill.id, kind.value, prefix, number, invoice_id, clock.now(), actor),
        *(bill.currency, content.total.minor, contents_json.to_json(content), list(refund_keys)),
    )
    event = InvoiceIssued(
        document_id=document_id,
        restaurant_id=bill.store_id,
        order_id=bill.id,
        kind=kind,
        number=format_number(prefix, number),
        invoice_id=invoice_id,
        total=content.total.to_decimal_string(),
        currency=bill.currency,
    )
    await publish(event, owner_id=bill.owner_id, store_id=bill.store_id)
    return await get_document(bill.owner_id, bill.store_id, document_id)


def _to_invoice(row: sql.Row) -> OrderInvoice:
    credits_other = row["invoice_id"] is not None
    return extend_record(
        OrderInvoice,
        contents_json.from_json(row["content"]),
        id=row["id"],
        store_id=row["store_id"],
        order_id=row["order_id"],
        kind=DocumentKind(row["kind"]),
        number=format_number(row["prefix"], row["number"]),
        invoice_id=row["invoice_id"],
        invoice_number=format_number(row["invoice_prefix"], row["invoice_number"]) if credits_other else None,
        issued_on=row["issued_on"],
        issued_at=row["issued_at"],
        currency=row["currency"],
        credited=Money(row["credited_minor"], row["currency"]),
        is_cancelled=row["cancelled_at"] is not None,
    )
