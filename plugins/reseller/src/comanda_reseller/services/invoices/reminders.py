"""Messages about invoices that are not paid, to the customers of resellers and to resellers."""

from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed, clock
from comanda.contracts import MessageTemplate, Sender
from comanda.platform.db import sql
from comanda_notifications import api as notifications

from comanda_reseller import models
from comanda_reseller.message_templates import INVOICE_DUE, INVOICE_ISSUED, INVOICE_OVERDUE
from comanda_reseller.models import Customer, InvoiceIssuer, InvoiceStatus
from comanda_reseller.records.invoices import Invoice
from comanda_reseller.services.invoices import invoice_views
from comanda_reseller.services.invoices.invoice_documents import format_date, format_money
from comanda_reseller.services.invoices.invoice_rows import get_invoice
from comanda_reseller.settings import get_settings

log = structlog.get_logger(__name__)

BATCH_SIZE: Final = 50
CLAIM_DUE: Final = f"""
    SELECT id, owner_id, due_at, reminders FROM reseller_invoice
    WHERE remind_at <= $1 AND status = '{InvoiceStatus.OPEN}'
    ORDER BY remind_at, id LIMIT {BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED
"""


async def send_reminders() -> None:
    """Send the reminders that are due."""
    while await _send_batch() == BATCH_SIZE:
        pass


async def send_invoice(invoice: Invoice) -> None:
    """Send an invoice that is to be paid by hand to its customer, in the open transaction. Each is sent once."""
    await _send(invoice, INVOICE_ISSUED, f"{INVOICE_ISSUED.name}:{invoice.id}")


async def _send_batch() -> int:
    # Message and next reminder are one transaction, so none is sent twice; rows of another process are skipped.
    async with sql.transaction():
        now = clock.now()
        rows = await sql.fetch(CLAIM_DUE, now)
        for row in rows:
            invoice = await get_invoice(row["owner_id"], row["id"])
            template = INVOICE_OVERDUE if invoice.due_at < now else INVOICE_DUE
            await _send(invoice, template, f"reseller.invoice_reminder:{invoice.id}:{row['reminders'] + 1}")
            await models.Invoice.filter(owner_id=row["owner_id"], id=row["id"]).update(
                remind_at=get_next_reminder(row["due_at"], now), reminders=row["reminders"] + 1
            )
    return len(rows)


async def _send(invoice: Invoice, template: MessageTemplate, once: str) -> None:
    link = await invoice_views.create_link(invoice)
    values = {
        "seller": invoice.seller.name,
        "number": invoice.number,
        "amount": format_money(invoice.payable),
        "due": format_date(invoice.due_at),
        "link": link.page_url,
    }
    try:
        await notifications.send_template(
            template.name,
            to=invoice.buyer.email,
            channel="email",
            values=values,
            language=await _get_language(invoice),
            owner_id=invoice.owner_id,
            once=once,
            sender=Sender(invoice.seller.name, invoice.seller.email),
        )
    except (ValidationFailed, RateLimited) as error:
        # An address that takes no messages must not hold up the reminders of others.
        log.warning("invoice_message_refused", invoice_id=invoice.id, template=template.name, error=str(error))


async def _get_language(invoice: Invoice) -> str:
    if invoice.issuer is InvoiceIssuer.PLATFORM:
        return "en"
    customer = await Customer.get(owner_id=invoice.owner_id, customer_owner_id=invoice.customer_id)
    return customer.language


def get_next_reminder(due_at: datetime, after: datetime) -> datetime | None:
    """Return the next time for a reminder after a moment, or None if there is no other."""
    times = (due_at + timedelta(days=days) for days in get_settings().reminder_days)
    return min((time for time in times if time > after), default=None)
