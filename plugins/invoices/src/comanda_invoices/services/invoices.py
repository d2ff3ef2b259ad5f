"""Invoices of paid orders: made once for an order, cancelled with a credit note, listed."""

import calendar
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Money, Sentence
from comanda.contracts import Caller, IdempotentResult, PageRequest, RecordPage, Status
from comanda.orders import ORDER_COLUMNS, ORDER_LINES, Bill, settlement, to_order
from comanda.platform.db import sql
from comanda.stores import get_store_settings, require_store
from comanda_payments.api import list_money_movements

from comanda_invoices.models import DocumentKind
from comanda_invoices.records import Buyer, InvoiceSummary, OrderInvoice, Seller
from comanda_invoices.schemas import InvoiceBody, InvoiceCancelBody, OrderInvoiceQuery
from comanda_invoices.services import contents, credit_notes, documents, messages
from comanda_invoices.store_settings import InvoiceSettings

# A file of a month, or of everything.
MAX_EXPORTED: Final = 50_000
FIRST_DAY: Final = date(1, 1, 1)
LAST_DAY: Final = date(9999, 12, 31)
SELECT_ORDER: Final = f"SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order_v1 o WHERE o.id = $1 AND o.owner_id = $2"
FROM_DOCUMENTS: Final = """FROM invoices_document d
    WHERE d.store_id = $1 AND d.owner_id = $2 AND d.issued_on BETWEEN $3 AND $4
        AND ($5::bigint IS NULL OR d.order_id = $5)"""
SELECT_SUMMARIES: Final = f"""
    SELECT d.id, d.store_id, d.order_id, d.kind, d.prefix, d.number, d.issued_on, d.currency, d.total_minor,
        d.content #>> '{{buyer,name}}' AS buyer, d.content #>> '{{buyer,tax_number}}' AS tax_number,
        (SELECT coalesce(sum((each #>> '{{tax,minor}}')::bigint), 0)::bigint
            FROM jsonb_array_elements(d.content -> 'taxes') AS each) AS tax_minor,
        d.cancelled_at IS NOT NULL AS is_cancelled
    {FROM_DOCUMENTS} ORDER BY d.issued_on DESC, d.id DESC LIMIT $6 OFFSET $7
"""


async def issue_invoice(
    caller: Caller, store_id: int, order_id: int, body: InvoiceBody, language: str | None = None
) -> IdempotentResult[OrderInvoice]:
    """Issue the invoice of a paid order, or return the one that it has.

    What was refunded before is credited at once. Emits ``InvoiceIssued``. Raises ``NotFound``, and ``Conflict`` with
    the reason ``seller_incomplete``, ``order_cancelled``, ``order_unpaid`` or ``order_refunded``.
    """
    store = await require_store(caller, store_id)
    settings = await get_store_settings(InvoiceSettings, caller.owner_id, store_id)
    async with sql.transaction():
        # Two requests at once: the second finds the invoice of the first.
        bill = await settlement.lock_bill(caller, store_id, order_id)
        if (known := await documents.find_current(bill.owner_id, order_id)) is not None:
            return IdempotentResult(known, is_replay=True)
        _check_seller(settings)
        _check_bill(bill)
        order = to_order(await sql.one(SELECT_ORDER, order_id, bill.owner_id))
        movements = (await list_money_movements([order_id], [bill.owner_id])).get(order_id, [])
        seller = Seller(settings.legal_name, settings.address, settings.tax_number, settings.note)
        buyer = Buyer(body.name, body.address, body.tax_number)
        content = contents.create_invoice(order, seller, buyer, movements, ZoneInfo(store["timezone"]))
        invoice = await documents.insert_document(bill, content, caller.actor)
        await credit_notes.credit_refunds(bill, invoice, movements)
        if body.email:
            await messages.send_link(bill.owner_id, invoice, order.track_token, body.email, language)
        return IdempotentResult(await documents.get_document(bill.owner_id, store_id, invoice.id))


async def cancel_invoice(caller: Caller, store_id: int, document_id: int, body: InvoiceCancelBody) -> OrderInvoice:
    """Cancel an invoice with a credit note of all that is left of it, and return that.

    Emits ``InvoiceIssued``. Raises ``NotFound``, and ``Conflict`` for a credit note or what is cancelled already, with
    the reason ``not_an_invoice`` or ``invoice_cancelled``.
    """
    await require_store(caller, store_id)
    found = await documents.get_document(caller.owner_id, store_id, document_id)
    if found.kind is not DocumentKind.INVOICE:
        raise Conflict(Sentence("Only an invoice can be cancelled."), extras={"reason": "not_an_invoice"})
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, found.order_id)
        current = await documents.find_current(caller.owner_id, found.order_id)
        if current is None or current.id != document_id:
            raise Conflict(Sentence("This invoice is cancelled already."), extras={"reason": "invoice_cancelled"})
        return await credit_notes.cancel(bill, current, body.reason, caller.actor)


async def get_invoice(caller: Caller, store_id: int, document_id: int) -> OrderInvoice:
    """Return an invoice or a credit note. Raises ``NotFound``."""
    await require_store(caller, store_id)
    return await documents.get_document(caller.owner_id, store_id, document_id)


async def list_invoices(
    caller: Caller, store_id: int, query: OrderInvoiceQuery, page: PageRequest
) -> RecordPage[InvoiceSummary]:
    """List invoices and credit notes, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    filters = (store_id, caller.owner_id, *_get_days(query), query.order_id)
    rows = await sql.fetch(SELECT_SUMMARIES, *filters, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(f"SELECT count(*) {FROM_DOCUMENTS}", *filters))
    return page.of([_to_summary(row) for row in rows], total)


async def list_exported(caller: Caller, store_id: int, query: OrderInvoiceQuery) -> list[InvoiceSummary]:
    """Return the documents of a file, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    filters = (store_id, caller.owner_id, *_get_days(query), query.order_id)
    return [_to_summary(row) for row in await sql.fetch(SELECT_SUMMARIES, *filters, MAX_EXPORTED, 0)]


def _get_days(query: OrderInvoiceQuery) -> tuple[date, date]:
    if query.month is None:
        return FIRST_DAY, LAST_DAY
    year, month = (int(part) for part in query.month.split("-"))
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _check_seller(settings: InvoiceSettings) -> None:
    if not settings.is_complete:
        raise Conflict(
            Sentence("Enter the legal name and the address in the settings of the store, under Invoices."),
            extras={"reason": "seller_incomplete"},
        )


def _check_bill(bill: Bill) -> None:
    """Raise ``Conflict`` unless an order is paid and something of it is kept."""
    if bill.status is Status.CANCELLED:
        raise Conflict(Sentence("This order was cancelled."), extras={"reason": "order_cancelled"})
    if not bill.is_paid:
        raise Conflict(Sentence("This order is not paid yet."), extras={"reason": "order_unpaid"})
    if bill.total_minor > 0 and bill.refunded_minor >= bill.paid_minor:
        raise Conflict(Sentence("This order was refunded."), extras={"reason": "order_refunded"})


def _to_summary(row: sql.Row) -> InvoiceSummary:
    return sql.to_record(
        InvoiceSummary,
        row,
        kind=DocumentKind(row["kind"]),
        number=documents.format_number(row["prefix"], row["number"]),
        tax=Money(row["tax_minor"], row["currency"]),
        total=Money(row["total_minor"], row["currency"]),
    )
