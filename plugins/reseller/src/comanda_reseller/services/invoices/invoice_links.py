"""Links to invoices for people without a token."""

from datetime import timedelta
from typing import Final

from comanda.platform import runtime
from comanda.platform.encryption import sign_link

from comanda_reseller.records.invoices import Invoice, InvoiceLink

LINK_PURPOSE: Final = "reseller.invoice"
LINK_LIFETIME: Final = timedelta(days=60)


async def create_link(invoice: Invoice) -> InvoiceLink:
    """Return links to the page and the PDF of an invoice, which open without a login until they expire."""
    link = await sign_link(LINK_PURPOSE, invoice.owner_id, invoice.id, LINK_LIFETIME)
    page = f"{runtime.settings().site_url}{get_page_path(invoice.id)}"
    return InvoiceLink(f"{page}?{link.query}", f"{page}.pdf?{link.query}", link.expires_at)


def get_page_path(invoice_id: int) -> str:
    """Return the path of the page of an invoice."""
    return f"/reseller/invoices/{invoice_id}"
