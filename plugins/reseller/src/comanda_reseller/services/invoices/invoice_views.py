"""Invoices for people: documents and PDF files, by token, by session and by link."""

from comanda.contracts import Answer, Caller
from comanda.platform.encryption import require_link_owner

from comanda_reseller.models import Account, InvoiceIssuer
from comanda_reseller.records.invoices import Invoice
from comanda_reseller.services.invoices.invoice_documents import InvoiceDocument, to_document
from comanda_reseller.services.invoices.invoice_links import LINK_PURPOSE
from comanda_reseller.services.invoices.invoice_lists import find_readable_invoice
from comanda_reseller.services.invoices.invoice_pdf import PDF_TYPE, render_pdf
from comanda_reseller.services.invoices.invoice_rows import get_invoice


async def find_linked_invoice(invoice_id: int, expires: str, signature: str) -> Invoice:
    """Return the invoice that a link names. Raises ``NotFound`` for a link that is forged or has expired."""
    owner_id = await require_link_owner(LINK_PURPOSE, invoice_id, expires, signature)
    return await get_invoice(owner_id, invoice_id)


async def get_invoice_of(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice that a signed-in account has issued or owes. Raises ``NotFound``."""
    return await find_readable_invoice(caller, invoice_id)


async def load_document(invoice: Invoice) -> InvoiceDocument:
    """Return an invoice as people read it, with the reseller's note on how to pay."""
    if invoice.issuer is InvoiceIssuer.PLATFORM:
        return to_document(invoice)
    account = await Account.get(owner_id=invoice.owner_id)
    return to_document(invoice, account.payment_note)


async def render_answer(invoice: Invoice) -> Answer:
    """Return an invoice as a PDF, to be shown in the browser under its number."""
    headers = {"Content-Disposition": f'inline; filename="{invoice.number}.pdf"', "Cache-Control": "private, no-store"}
    return Answer(await render_pdf(await load_document(invoice)), headers=headers, content_type=PDF_TYPE)
