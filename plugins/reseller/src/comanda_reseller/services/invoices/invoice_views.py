"""Invoices for people: documents and PDF files, by token, by session and by link."""

from datetime import timedelta
from typing import Final

from comanda.contracts import Answer, Caller
from comanda.platform import runtime
from comanda.platform.encryption import require_link_owner, sign_link

from comanda_reseller.models import Account, InvoiceIssuer
from comanda_reseller.records.invoices import Invoice, InvoiceLink
from comanda_reseller.services.invoices.invoice_documents import InvoiceDocument, to_document
from comanda_reseller.services.invoices.invoice_lists import find_readable_invoice
from comanda_reseller.services.invoices.invoice_pdf import PDF_TYPE, render_pdf
from comanda_reseller.services.invoices.invoice_rows import get_invoice

LINK_PURPOSE: Final = "reseller.invoice"
LINK_LIFETIME: Final = timedelta(days=60)


async def create_link(invoice: Invoice) -> InvoiceLink:
    """Return links to the page and the PDF of an invoice, which open without a login until they expire."""
    link = await sign_link(LINK_PURPOSE, invoice.owner_id, invoice.id, LINK_LIFETIME)
    page = f"{runtime.settings().site_url}{get_page_path(invoice.id)}"
    return InvoiceLink(f"{page}?{link.query}", f"{page}.pdf?{link.query}", link.expires_at)


def get_page_path(invoice_id: int) -> str:
    return f"/reseller/invoices/{invoice_id}"


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
