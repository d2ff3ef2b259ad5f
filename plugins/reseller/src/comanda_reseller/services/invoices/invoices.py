"""Issue and end of invoices.

Locks are taken in one order: the subscription, the issuer's counter, the invoice, the wallet. Code that begins with an
invoice of a subscription calls ``settlement.lock_subscription_of`` before it locks the invoice.
"""

from datetime import datetime
from typing import Final

from comanda.basics import Conflict, clock
from comanda.platform.db import sql

from comanda_reseller.models import Account, InvoiceIssuer, InvoiceKind, InvoicePaymentStatus, InvoiceStatus
from comanda_reseller.records.invoices import Invoice, NewInvoice
from comanda_reseller.services.invoices import credit_balances, invoice_numbers, invoice_payments
from comanda_reseller.services.invoices.collection import collect_invoice
from comanda_reseller.services.invoices.invoice_creation import NewDocument, compute_amounts, create_document
from comanda_reseller.services.invoices.invoice_rows import find_by_reference, get_invoice
from comanda_reseller.services.invoices.parties import load_parties
from comanda_reseller.services.subscriptions import settlement
from comanda_reseller.settings import get_settings

__all__ = ["collect_invoice", "issue_invoice", "load_invoice", "mark_paid", "void_invoice", "write_off_invoice"]

MANUAL: Final = "manual"

VOID: Final = f"""
    UPDATE reseller_invoice SET status = '{InvoiceStatus.VOID}', voided_at = $3, reason = $4, remind_at = NULL
    WHERE owner_id = $1 AND id = $2
"""
WRITE_OFF: Final = f"""
    UPDATE reseller_invoice SET status = '{InvoiceStatus.UNCOLLECTIBLE}', written_off_at = $3, reason = $4,
        remind_at = NULL
    WHERE owner_id = $1 AND id = $2
"""


async def issue_invoice(owner_id: int, issuer: InvoiceIssuer, customer_owner_id: int, new: NewInvoice) -> Invoice:
    """Issue an invoice in the open transaction, or return the one that was issued for its reference.

    ``owner_id`` is the reseller; an invoice of the platform has it as ``customer_owner_id`` too. Numbers have no gaps
    within an issuer. The customer's credit pays what it can; an invoice with nothing left to pay is paid at once, and
    a total below zero becomes credit.
    """
    if (found := await find_by_reference(owner_id, issuer, new.reference)) is not None:
        return found
    async with sql.transaction():
        await invoice_numbers.lock_counter(owner_id, issuer, InvoiceKind.INVOICE)
        if (found := await find_by_reference(owner_id, issuer, new.reference)) is not None:
            return found
        account = await Account.get(owner_id=owner_id)
        document = await _prepare(account, issuer, customer_owner_id, new)
        return await get_invoice(owner_id, await create_document(account, document))


async def load_invoice(owner_id: int, invoice_id: int) -> Invoice:
    """Return an invoice of a reseller, issued by or to it. Raises ``NotFound``."""
    return await get_invoice(owner_id, invoice_id)


async def void_invoice(owner_id: int, invoice_id: int, reason: str, at: datetime) -> Invoice:
    """Void an open invoice, and give back the credit that it used. Raises ``NotFound``, and ``Conflict`` once paid.

    An invoice that is void already stays as it is.
    """
    async with sql.transaction():
        await invoice_numbers.lock_counter(owner_id, InvoiceIssuer.RESELLER, InvoiceKind.INVOICE)
        invoice = await get_invoice(owner_id, invoice_id, is_locked=True)
        if invoice.status is InvoiceStatus.VOID:
            return invoice
        _require_unpaid(invoice, "voided")
        if invoice.issuer is InvoiceIssuer.RESELLER:
            credit = invoice.credit_applied
            await credit_balances.add_credit(owner_id, invoice.customer_id, credit.currency, credit.minor)
        await sql.execute(VOID, owner_id, invoice_id, at, reason)
        return await get_invoice(owner_id, invoice_id)


async def write_off_invoice(owner_id: int, invoice_id: int, reason: str, at: datetime) -> Invoice:
    """Mark an open invoice as uncollectible in the open transaction; any other stays as it is. Raises ``NotFound``."""
    async with sql.transaction():
        invoice = await get_invoice(owner_id, invoice_id, is_locked=True)
        if invoice.status is not InvoiceStatus.OPEN:
            return invoice
        await sql.execute(WRITE_OFF, owner_id, invoice_id, at, reason)
        return await get_invoice(owner_id, invoice_id)


async def mark_paid(owner_id: int, invoice_id: int, reference: str | None, actor: str) -> Invoice:
    """Record that an open invoice was paid outside, and tell its subscription with ``settlement.apply_payment``.

    An invoice that was written off can be paid late. Raises ``NotFound``, and ``Conflict`` for any other.
    """
    moment = clock.now()
    async with sql.transaction():
        await settlement.lock_subscription_of(owner_id, invoice_id)
        invoice = await get_invoice(owner_id, invoice_id, is_locked=True)
        _require_unpaid(invoice, "paid")
        attempt = invoice_payments.Attempt(MANUAL, InvoicePaymentStatus.PAID, reference, None, actor)
        await invoice_payments.record_attempt(invoice, attempt, moment)
        paid = await get_invoice(owner_id, invoice_id)
        await settlement.apply_payment(paid, moment)
    return paid


def _require_unpaid(invoice: Invoice, participle: str) -> None:
    is_unpaid = invoice.status in (InvoiceStatus.OPEN, InvoiceStatus.UNCOLLECTIBLE)
    if invoice.kind is not InvoiceKind.INVOICE or not is_unpaid:
        raise Conflict(f"Invoice {invoice.number} is {invoice.status} and cannot be {participle}.")


async def _prepare(account: Account, issuer: InvoiceIssuer, customer_owner_id: int, new: NewInvoice) -> NewDocument:
    """Compute an invoice, and use or add to the customer's credit."""
    is_platform = issuer is InvoiceIssuer.PLATFORM
    tax_ppm = get_settings().platform_tax_ppm if is_platform else account.tax_ppm
    amounts = compute_amounts(new.lines, tax_ppm)
    credit_minor = 0
    if not is_platform:
        credit_minor = await credit_balances.apply_credit(
            account.owner_id, customer_owner_id, new.currency, amounts.total_minor
        )
    seller, buyer = await load_parties(issuer, account, customer_owner_id)
    return NewDocument(
        issuer=issuer,
        kind=InvoiceKind.INVOICE,
        customer_owner_id=customer_owner_id,
        subscription_id=new.subscription_id,
        credited_invoice_id=None,
        reference=new.reference,
        currency=new.currency,
        period_start=new.period_start,
        period_end=new.period_end,
        issued_at=new.issued_at,
        due_at=new.due_at,
        tax_ppm=tax_ppm,
        amounts=amounts,
        credit_minor=credit_minor,
        lines=new.lines,
        seller=seller,
        buyer=buyer,
    )
