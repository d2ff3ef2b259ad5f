"""The e-mail with the link to an invoice."""

from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_notifications import api as notifications

from comanda_invoices.message_templates import INVOICE_READY
from comanda_invoices.records import OrderInvoice

log = structlog.get_logger(__name__)

PATH: Final = "/invoice/{token}"
SELECT_TITLE: Final = "SELECT title FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


def create_guest_url(store_id: int, path: str) -> str:
    """Return the address of a page for guests of a store."""
    return runtime.registry().guest_site_url(runtime.settings().site_url, store_id) + path


async def send_link(owner_id: int, invoice: OrderInvoice, track_token: str, email: str, language: str | None) -> None:
    """Send the link to an invoice in the open transaction."""
    link = create_guest_url(invoice.store_id, PATH.format(token=track_token))
    title = await sql.fetch_value(SELECT_TITLE, invoice.store_id, owner_id)
    try:
        await notifications.send_template(
            INVOICE_READY.name,
            to=email,
            channel="email",
            values={"store": title, "number": invoice.number, "link": link},
            language=language,
            owner_id=owner_id,
            store_id=invoice.store_id,
            once=f"{INVOICE_READY.name}:{invoice.id}",
        )
    except (RateLimited, ValidationFailed) as error:
        # The page has the invoice too.
        log.warning("invoice_not_sent", document_id=invoice.id, error=str(error))
