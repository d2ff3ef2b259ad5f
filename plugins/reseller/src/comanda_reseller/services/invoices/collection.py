"""Collection of invoices: from the customer's wallet, or by hand."""

from datetime import datetime
from typing import Final

from comanda.basics import PaymentRequired
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_reseller.models import Customer, InvoiceIssuer, InvoicePaymentStatus, InvoiceStatus
from comanda_reseller.records.invoices import Collection, Invoice
from comanda_reseller.services.invoices import reminders
from comanda_reseller.services.invoices.invoice_payments import Attempt, record_attempt

WALLET: Final = "wallet"
REFERENCE_PREFIX: Final = "reseller.invoice:"

LOCK_STATUS: Final = "SELECT status FROM reseller_invoice WHERE owner_id = $1 AND id = $2 FOR NO KEY UPDATE"


async def collect_invoice(invoice: Invoice, at: datetime) -> Collection:
    """Collect an open invoice by the customer's method in the open transaction, and record the attempt.

    A paid invoice is not collected again: the result is ``PAID``, as for one that is void. A failure stores the
    attempt and raises nothing. An invoice that the wallet cannot pay, because it has another currency or the customer
    pays by hand, is ``PENDING``. Does not tell the subscription: the caller that collects for it knows the result.
    """
    async with sql.transaction():
        # What was issued never changes, so its status alone is read again.
        status = await sql.fetch_value(LOCK_STATUS, invoice.owner_id, invoice.id)
        if status in (InvoiceStatus.PAID, InvoiceStatus.VOID):
            return Collection.PAID
        if status != InvoiceStatus.OPEN:
            return Collection.FAILED
        if not await is_paid_from_wallet(invoice):
            await reminders.send_invoice(invoice)
            return Collection.PENDING
        return await _collect_from_wallet(invoice, at)


async def is_paid_from_wallet(invoice: Invoice) -> bool:
    """Return whether an invoice is collected from a wallet: the platform's always, if the currency is the wallets'."""
    if invoice.currency != wallet.get_currency():
        return False
    if invoice.issuer is InvoiceIssuer.PLATFORM:
        return True
    customer = await Customer.get(owner_id=invoice.owner_id, customer_owner_id=invoice.customer_id)
    return customer.collection_method == WALLET


async def charge_wallet(invoice: Invoice, at: datetime, *, actor: str) -> None:
    """Pay an open invoice, which is locked, from the wallet of who owes it, in the open transaction.

    What a reseller's customer pays is earned by the reseller, what a reseller pays by the platform. Raises
    ``PaymentRequired``, and nothing is stored.
    """
    is_reseller = invoice.issuer is InvoiceIssuer.RESELLER
    amount_minor = invoice.payable.minor
    charge = wallet.Charge(
        wallet.EntryKind.SUBSCRIPTION,
        amount_minor,
        get_wallet_reference(invoice.id),
        f"Invoice {invoice.number}",
        payee_owner_id=invoice.owner_id if is_reseller else None,
        payee_share_minor=amount_minor if is_reseller else 0,
    )
    entry = await wallet.charge(invoice.customer_id, charge, actor)
    await record_attempt(invoice, Attempt(WALLET, InvoicePaymentStatus.PAID, entry.reference, actor=actor), at)


async def _collect_from_wallet(invoice: Invoice, at: datetime) -> Collection:
    try:
        await charge_wallet(invoice, at, actor="system")
    except PaymentRequired as error:
        await record_attempt(invoice, Attempt(WALLET, InvoicePaymentStatus.FAILED, error=str(error)), at)
        return Collection.FAILED
    return Collection.PAID


def get_wallet_reference(invoice_id: int) -> str:
    """Return the reference of the wallet's entry that pays an invoice."""
    return f"{REFERENCE_PREFIX}{invoice_id}"
