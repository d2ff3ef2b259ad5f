"""Credit notes: what a reseller gives back of a paid invoice, in whole or in parts."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from comanda.basics import Conflict, Money, ValidationFailed, clock, round_half_up
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_reseller.models import Account, InvoiceIssuer, InvoiceKind, InvoicePaymentStatus, InvoiceStatus
from comanda_reseller.records.invoices import Invoice, NewLine
from comanda_reseller.services.invoices import credit_balances, invoice_numbers, invoice_payments
from comanda_reseller.services.invoices.collection import WALLET, get_wallet_reference
from comanda_reseller.services.invoices.invoice_creation import Amounts, NewDocument, create_document
from comanda_reseller.services.invoices.invoice_rows import find_by_reference, get_invoice

REFERENCE_PREFIX: Final = "reseller.credit_note:"


class RefundMethod(StrEnum):
    """Where the money of a credit note goes: the customer's wallet, its credit, or outside of the platform."""

    WALLET = "wallet"
    CREDIT = "credit"
    OUTSIDE = "outside"


async def create_credit_note(
    owner_id: int,
    invoice_id: int,
    *,
    amount_minor: int | None,
    reason: str,
    method: RefundMethod | None,
    key: str,
    actor: str,
) -> Invoice:
    """Issue a credit note for a paid invoice of a reseller, and give the money back in the same transaction.

    ``amount_minor`` includes the tax; without it, all that is left is credited. ``key`` makes it idempotent. Without a
    ``method`` the money returns to the wallet that it came from, or else becomes credit. Raises ``NotFound``;
    ``Conflict`` for an invoice that is not paid; ``ValidationFailed`` on ``amount`` and on ``refund_to``.
    """
    reference = f"{REFERENCE_PREFIX}{invoice_id}:{key}"
    async with sql.transaction():
        await invoice_numbers.lock_counter(owner_id, InvoiceIssuer.RESELLER, InvoiceKind.INVOICE)
        await invoice_numbers.lock_counter(owner_id, InvoiceIssuer.RESELLER, InvoiceKind.CREDIT_NOTE)
        invoice = await get_invoice(owner_id, invoice_id, is_locked=True)
        if (found := await find_by_reference(owner_id, InvoiceIssuer.RESELLER, reference)) is not None:
            return found
        amount_minor = _check_amount(invoice, amount_minor)
        method = _choose_method(invoice, method)
        account = await Account.get(owner_id=owner_id)
        document = _to_document(invoice, amount_minor, reason, reference, clock.now())
        note = await get_invoice(owner_id, await create_document(account, document))
        await _give_back(invoice, note, method, actor)
        return await get_invoice(owner_id, note.id)


def _check_amount(invoice: Invoice, amount_minor: int | None) -> int:
    """Return the amount to credit."""
    is_own = invoice.issuer is InvoiceIssuer.RESELLER and invoice.kind is InvoiceKind.INVOICE
    if not is_own or invoice.status is not InvoiceStatus.PAID:
        raise Conflict("Only a paid invoice to a customer can be credited. Void an invoice that is not paid.")
    left = invoice.total - invoice.credited
    wanted = left.minor if amount_minor is None else amount_minor
    if left.minor <= 0:
        raise Conflict("Nothing is left of this invoice to credit.")
    if not 0 < wanted <= left.minor:
        text = f"Must be more than 0 and at most {left.to_decimal_string()}, what is left of the invoice."
        raise ValidationFailed(amount=[text])
    return wanted


def _choose_method(invoice: Invoice, method: RefundMethod | None) -> RefundMethod:
    is_from_wallet = _is_paid_from_wallet(invoice)
    if method is RefundMethod.WALLET and not is_from_wallet:
        raise ValidationFailed(refund_to=["The invoice was not paid from the wallet."])
    return method or (RefundMethod.WALLET if is_from_wallet else RefundMethod.CREDIT)


def _is_paid_from_wallet(invoice: Invoice) -> bool:
    return any(each.method == WALLET and each.status is InvoicePaymentStatus.PAID for each in invoice.payments)


def _to_document(invoice: Invoice, amount_minor: int, reason: str, reference: str, at: datetime) -> NewDocument:
    # The tax is rounded on the sum of all credit notes, so that those of a whole invoice give back its tax exactly.
    before = invoice.credited.minor
    tax_minor = _get_tax(invoice, before + amount_minor) - _get_tax(invoice, before)
    net_minor = amount_minor - tax_minor
    period = invoice.period
    line = NewLine(f"Credit for invoice {invoice.number}", -net_minor, 1, period.start, period.end)
    return NewDocument(
        issuer=InvoiceIssuer.RESELLER,
        kind=InvoiceKind.CREDIT_NOTE,
        customer_owner_id=invoice.customer_id,
        subscription_id=invoice.subscription_id,
        credited_invoice_id=invoice.id,
        reference=reference,
        currency=invoice.currency,
        period_start=period.start,
        period_end=period.end,
        issued_at=at,
        due_at=at,
        tax_ppm=invoice.tax_ppm,
        amounts=Amounts(-net_minor, -tax_minor, [-tax_minor]),
        credit_minor=0,
        lines=[line],
        seller=invoice.seller,
        buyer=invoice.buyer,
        reason=reason,
    )


def _get_tax(invoice: Invoice, credited_minor: int) -> int:
    return round_half_up(invoice.tax.minor * credited_minor, invoice.total.minor)


async def _give_back(invoice: Invoice, note: Invoice, method: RefundMethod, actor: str) -> None:
    amount = Money(-note.total.minor, note.currency)
    reference = None
    if method is RefundMethod.CREDIT:
        await credit_balances.add_credit(note.owner_id, note.customer_id, amount.currency, amount.minor)
    elif method is RefundMethod.WALLET:
        refund = wallet.Refund(
            wallet.EntryKind.SUBSCRIPTION,
            get_wallet_reference(invoice.id),
            note.reference,
            amount.minor,
            f"Credit note {note.number}",
        )
        try:
            reference = (await wallet.refund(note.customer_id, refund, actor)).reference
        except ValidationFailed as error:
            text = "This is more than the wallet has paid of the invoice; refund the rest as credit."
            raise ValidationFailed(amount=[text]) from error
    await invoice_payments.record_refund(note, method, reference, actor)
