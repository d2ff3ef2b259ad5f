"""What resellers and their customers do with invoices: collect, pay, void and write off."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from comanda.basics import Conflict, ValidationFailed, clock, to_minor
from comanda.contracts import Caller, parse_header
from comanda.platform.db import sql
from comanda_wallet.api import get_currency

from comanda_reseller.models import InvoiceKind, InvoiceStatus
from comanda_reseller.records.invoices import CollectedInvoice, Collection, Invoice
from comanda_reseller.schemas.invoices import CreditNoteBody
from comanda_reseller.services.invoices import collection, credit_notes, invoice_lists, invoices
from comanda_reseller.services.invoices.invoice_rows import get_invoice
from comanda_reseller.services.subscriptions import settlement


async def record_payment(caller: Caller, invoice_id: int, reference: str | None) -> Invoice:
    """Record that a customer paid outside. Raises ``NotFound``, and ``Conflict`` for an invoice that is not open."""
    await invoice_lists.get_customer_invoice(caller, invoice_id)
    return await invoices.mark_paid(caller.owner_id, invoice_id, reference, caller.actor)


async def collect(caller: Caller, invoice_id: int) -> CollectedInvoice:
    """Collect an open invoice now by the customer's method. Raises ``NotFound``, and ``Conflict`` if it is not open.

    An attempt that fails is recorded, and changes nothing else.
    """
    await invoice_lists.get_customer_invoice(caller, invoice_id)
    moment = clock.now()
    async with sql.transaction():
        await settlement.lock_subscription_of(caller.owner_id, invoice_id)
        invoice = await get_invoice(caller.owner_id, invoice_id, is_locked=True)
        _require_open(invoice)
        result = await collection.collect_invoice(invoice, moment)
        collected = await get_invoice(caller.owner_id, invoice_id)
        if result is Collection.PAID:
            await settlement.apply_payment(collected, moment)
    return CollectedInvoice(result, collected)


async def pay_own_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Pay an open invoice from the caller's wallet.

    Raises ``NotFound``; ``Conflict`` for an invoice that is not open or in another currency; ``PaymentRequired``.
    """
    found = await invoice_lists.get_own_invoice(caller, invoice_id)
    moment = clock.now()
    async with sql.transaction():
        await settlement.lock_subscription_of(found.owner_id, invoice_id)
        invoice = await get_invoice(found.owner_id, invoice_id, is_locked=True)
        await _charge_wallet(invoice, moment, caller.actor)
        paid = await get_invoice(found.owner_id, invoice_id)
        await settlement.apply_payment(paid, moment)
    return paid


async def pay_platform_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Pay an open invoice of the platform from the reseller's wallet.

    Raises ``NotFound``; ``Conflict`` for an invoice that is not open or in another currency; ``PaymentRequired``.
    """
    await invoice_lists.get_platform_invoice(caller, invoice_id)
    async with sql.transaction():
        invoice = await get_invoice(caller.owner_id, invoice_id, is_locked=True)
        await _charge_wallet(invoice, clock.now(), caller.actor)
        return await get_invoice(caller.owner_id, invoice_id)


async def void(caller: Caller, invoice_id: int, reason: str) -> Invoice:
    """Void an invoice that is not paid; a subscription that waits for it goes on as if it had been.

    Raises ``NotFound``, and ``Conflict`` for a paid invoice.
    """
    await invoice_lists.get_customer_invoice(caller, invoice_id)
    moment = clock.now()
    async with sql.transaction():
        await settlement.lock_subscription_of(caller.owner_id, invoice_id)
        voided = await invoices.void_invoice(caller.owner_id, invoice_id, reason, moment)
        await settlement.apply_payment(voided, moment)
    return voided


async def write_off(caller: Caller, invoice_id: int, reason: str) -> Invoice:
    """Mark an open invoice as uncollectible; its subscription expires when its grace period ends.

    Raises ``NotFound``, and ``Conflict`` for an invoice that is not open.
    """
    await invoice_lists.get_customer_invoice(caller, invoice_id)
    async with sql.transaction():
        await settlement.lock_subscription_of(caller.owner_id, invoice_id)
        invoice = await get_invoice(caller.owner_id, invoice_id, is_locked=True)
        if invoice.status is not InvoiceStatus.UNCOLLECTIBLE:
            _require_open(invoice)
        return await invoices.write_off_invoice(caller.owner_id, invoice_id, reason, clock.now())


async def create_credit_note(
    caller: Caller, invoice_id: int, body: CreditNoteBody, headers: Mapping[str, str]
) -> Invoice:
    """Credit a paid invoice in whole or in part; a repeated ``Idempotency-Key`` returns the first credit note.

    Raises ``NotFound``, ``Conflict`` and ``ValidationFailed``.
    """
    key = parse_header(headers) or uuid4().hex
    invoice = await invoice_lists.get_customer_invoice(caller, invoice_id)
    return await credit_notes.create_credit_note(
        caller.owner_id,
        invoice_id,
        amount_minor=_to_minor(body.amount, invoice.currency),
        reason=body.reason,
        method=body.refund_to,
        key=hashlib.sha256(key.encode()).hexdigest(),
        actor=caller.actor,
    )


def _to_minor(amount: float | None, currency: str) -> int | None:
    try:
        return None if amount is None else to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed(amount=[str(error)]) from error


async def _charge_wallet(invoice: Invoice, at: datetime, actor: str) -> None:
    _require_open(invoice)
    if invoice.currency != get_currency():
        raise Conflict(f"The wallet cannot pay an invoice in {invoice.currency}.")
    await collection.charge_wallet(invoice, at, actor=actor)


def _require_open(invoice: Invoice) -> None:
    if invoice.kind is not InvoiceKind.INVOICE or invoice.status is not InvoiceStatus.OPEN:
        raise Conflict(f"Invoice {invoice.number} is {invoice.status}, not open.")
