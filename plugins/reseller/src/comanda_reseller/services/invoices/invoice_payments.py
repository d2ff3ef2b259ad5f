"""Attempts to collect invoices, and payments that were recorded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.platform.db import sql

from comanda_reseller.models import InvoicePayment, InvoicePaymentStatus, InvoiceStatus
from comanda_reseller.records.invoices import Invoice

MAX_REFERENCE_LENGTH: Final = 200
MAX_ERROR_LENGTH: Final = 500

MARK_PAID: Final = f"""
    UPDATE reseller_invoice SET status = '{InvoiceStatus.PAID}', paid_at = $3, remind_at = NULL
    WHERE owner_id = $1 AND id = $2
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an attempt to collect an invoice, and by whom it was made or recorded."""

    method: str
    status: InvoicePaymentStatus
    reference: str | None = None
    error: str | None = None
    actor: str | None = None


async def record_attempt(invoice: Invoice, attempt: Attempt, at: datetime) -> None:
    """Store an attempt for all that is to pay, in the open transaction; one that succeeded makes the invoice paid."""
    await InvoicePayment.create(
        owner_id=invoice.owner_id,
        invoice_id=invoice.id,
        method=attempt.method,
        status=attempt.status,
        amount_minor=invoice.payable.minor,
        reference=None if attempt.reference is None else attempt.reference[:MAX_REFERENCE_LENGTH],
        error=None if attempt.error is None else attempt.error[:MAX_ERROR_LENGTH],
        actor=attempt.actor,
        created_at=at,
    )
    if attempt.status is InvoicePaymentStatus.PAID:
        await sql.execute(MARK_PAID, invoice.owner_id, invoice.id, at)


async def record_refund(credit_note: Invoice, method: str, reference: str | None, actor: str) -> None:
    """Store how a credit note was paid out, in the open transaction."""
    await InvoicePayment.create(
        owner_id=credit_note.owner_id,
        invoice_id=credit_note.id,
        method=method,
        status=InvoicePaymentStatus.PAID,
        amount_minor=credit_note.total.minor,
        reference=reference,
        actor=actor,
        created_at=credit_note.issued_at,
    )
