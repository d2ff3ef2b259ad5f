"""Invoices and credit notes, for owners."""

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes

from comanda_invoices.records import InvoiceSummary, OrderInvoice
from comanda_invoices.schemas import InvoiceBody, InvoiceCancelBody, OrderInvoiceQuery
from comanda_invoices.services import invoice_csv, invoices

routes = Routes("Invoices")

INVOICES = "/restaurants/{id}/invoices"
INVOICE = f"{INVOICES}/{{documentId}}"


@routes.get(INVOICES, scope="orders:read")
async def list_invoices(
    caller: Caller, id: int, query: OrderInvoiceQuery, page: PageRequest
) -> RecordPage[InvoiceSummary]:
    """List the invoices and credit notes of a store, newest first, 20 per page."""
    return await invoices.list_invoices(caller, id, query, page)


@routes.get(f"{INVOICES}/export", scope="orders:read", answers=bytes, content_types=(invoice_csv.CONTENT_TYPE,))
async def export_invoices(caller: Caller, id: int, query: OrderInvoiceQuery) -> Answer:
    """Return the invoices and credit notes of a store as CSV, newest first."""
    return invoice_csv.to_csv(await invoices.list_exported(caller, id, query), query.month or "all")


@routes.get(INVOICE, scope="orders:read")
async def get_invoice(caller: Caller, id: int, document_id: int) -> OrderInvoice:
    """Return an invoice or a credit note, as it was issued."""
    return await invoices.get_invoice(caller, id, document_id)


@routes.post("/restaurants/{id}/orders/{orderId}/invoice", scope="orders:write", answers=OrderInvoice)
async def issue_invoice(caller: Caller, id: int, order_id: int, body: InvoiceBody) -> Answer:
    """Issue the invoice of a paid order; an order that has one answers with that.

    409 with the ``reason`` ``seller_incomplete``, ``order_unpaid``, ``order_cancelled`` or ``order_refunded``.
    """
    return (await invoices.issue_invoice(caller, id, order_id, body)).answer()


@routes.post(f"{INVOICE}/cancel", scope="orders:write")
async def cancel_invoice(caller: Caller, id: int, document_id: int, body: InvoiceCancelBody) -> OrderInvoice:
    """Cancel an invoice with a credit note of all that is left of it, which is the answer.

    409 with the ``reason`` ``invoice_cancelled`` or ``not_an_invoice``.
    """
    return await invoices.cancel_invoice(caller, id, document_id, body)
