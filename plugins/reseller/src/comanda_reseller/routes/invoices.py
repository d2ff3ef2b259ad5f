"""Invoices of a reseller: those that it issues and those that it owes."""

from comanda.contracts import Answer, Call, Caller, PageRequest, RecordPage, Routes, key_header

from comanda_reseller.records.invoices import CollectedInvoice, Invoice, InvoiceLink
from comanda_reseller.schemas.invoices import (
    CreditNoteBody,
    InvoiceQuery,
    OwnInvoiceQuery,
    ReasonBody,
    RecordPaymentBody,
)
from comanda_reseller.services.invoices import invoice_acts, invoice_lists, invoice_pdf, invoice_views
from comanda_reseller.services.invoices.invoice_lists import InvoiceFilter

routes = Routes("Reseller")


@routes.get("/reseller/customer-invoices", scope="restaurants:read")
async def list_customer_invoices(caller: Caller, query: InvoiceQuery, page: PageRequest) -> RecordPage[Invoice]:
    """List what your customers owe and have paid, newest first, 20 per page."""
    return await invoice_lists.list_customer_invoices(caller, InvoiceFilter(**query.model_dump()), page)


@routes.get("/reseller/customer-invoices/{invoiceId}", scope="restaurants:read")
async def get_customer_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice or credit note to a customer."""
    return await invoice_lists.get_customer_invoice(caller, invoice_id)


@routes.get(
    "/reseller/customer-invoices/{invoiceId}/pdf",
    scope="restaurants:read",
    answers=bytes,
    content_types=(invoice_pdf.PDF_TYPE,),
)
async def get_customer_invoice_pdf(caller: Caller, invoice_id: int) -> Answer:
    """Return an invoice to a customer as a PDF."""
    return await invoice_views.render_answer(await invoice_lists.get_customer_invoice(caller, invoice_id))


@routes.post("/reseller/customer-invoices/{invoiceId}/link", scope="restaurants:write", status=200, is_read_only=True)
async def create_invoice_link(caller: Caller, invoice_id: int) -> InvoiceLink:
    """Return links to the page and the PDF of an invoice, which anyone who has them can open for 60 days."""
    return await invoice_views.create_link(await invoice_lists.get_customer_invoice(caller, invoice_id))


@routes.post("/reseller/customer-invoices/{invoiceId}/mark-paid", scope="restaurants:write", status=200)
async def record_payment(caller: Caller, invoice_id: int, body: RecordPaymentBody) -> Invoice:
    """Record that a customer paid an invoice outside of the platform. A subscription that waits for it goes on."""
    return await invoice_acts.record_payment(caller, invoice_id, body.reference)


@routes.post("/reseller/customer-invoices/{invoiceId}/collect", scope="restaurants:write", status=200)
async def collect_invoice(caller: Caller, invoice_id: int) -> CollectedInvoice:
    """Try now to collect an open invoice, by the customer's collection method."""
    return await invoice_acts.collect(caller, invoice_id)


@routes.post("/reseller/customer-invoices/{invoiceId}/void", scope="restaurants:write", status=200)
async def void_invoice(caller: Caller, invoice_id: int, body: ReasonBody) -> Invoice:
    """Void an invoice that is not paid. Its number stays used, and a subscription that waits for it goes on."""
    return await invoice_acts.void(caller, invoice_id, body.reason)


@routes.post("/reseller/customer-invoices/{invoiceId}/write-off", scope="restaurants:write", status=200)
async def write_off_invoice(caller: Caller, invoice_id: int, body: ReasonBody) -> Invoice:
    """Mark an open invoice as uncollectible: nobody is reminded of it any more. It can still be marked as paid."""
    return await invoice_acts.write_off(caller, invoice_id, body.reason)


@routes.post(
    "/reseller/customer-invoices/{invoiceId}/credit-notes",
    scope="restaurants:write",
    headers=(key_header("credit note"),),
)
async def create_credit_note(caller: Caller, invoice_id: int, body: CreditNoteBody, call: Call) -> Invoice:
    """Credit a paid invoice in whole or in part, and give the money back."""
    return await invoice_acts.create_credit_note(caller, invoice_id, body, call.headers)


@routes.get("/reseller/invoices", scope="restaurants:read")
async def list_invoices(caller: Caller, query: OwnInvoiceQuery, page: PageRequest) -> RecordPage[Invoice]:
    """List what you owe the platform and have paid, newest first, 20 per page."""
    return await invoice_lists.list_platform_invoices(caller, InvoiceFilter(**query.model_dump()), page)


@routes.get("/reseller/invoices/{invoiceId}", scope="restaurants:read")
async def get_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice of the platform to you."""
    return await invoice_lists.get_platform_invoice(caller, invoice_id)


@routes.get(
    "/reseller/invoices/{invoiceId}/pdf", scope="restaurants:read", answers=bytes, content_types=(invoice_pdf.PDF_TYPE,)
)
async def get_invoice_pdf(caller: Caller, invoice_id: int) -> Answer:
    """Return an invoice of the platform to you as a PDF."""
    return await invoice_views.render_answer(await invoice_lists.get_platform_invoice(caller, invoice_id))


@routes.post("/reseller/invoices/{invoiceId}/pay", scope="restaurants:write", status=200)
async def pay_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Pay an open invoice of the platform from your wallet. Answers 402 if the wallet does not cover it."""
    return await invoice_acts.pay_platform_invoice(caller, invoice_id)
