"""Invoices on the wire."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Amount, Body, Id, ShortText, Text, example
from comanda.contracts.wire import MoneyNumber, PercentNumber
from pydantic import BaseModel, Field

from comanda_reseller.models import InvoiceKind, InvoiceStatus
from comanda_reseller.records.invoices import Collection, InvoiceLine, InvoicePayment, Party, Period
from comanda_reseller.services.credit_notes import RefundMethod


class OwnInvoiceQuery(BaseModel):
    """Filters for invoices: by status, and by whether they are invoices or credit notes."""

    status: InvoiceStatus | None = None
    kind: InvoiceKind | None = None


class InvoiceQuery(OwnInvoiceQuery):
    """Filters for invoices to customers: by status, kind, customer and subscription."""

    customer_id: Id | None = None
    subscription_id: Id | None = None


class InvoiceOut(BaseModel):
    """An invoice, or a credit note, whose amounts are negative. It never changes but for its status and payments.

    The customer's credit paid ``credit_applied`` of ``total``; below zero, that much was added to the credit.
    ``credited`` is the total of its credit notes.
    """

    id: int
    kind: InvoiceKind
    number: str | None
    status: InvoiceStatus
    customer_id: int
    subscription_id: int | None
    credited_invoice_id: int | None
    currency: str
    subtotal: MoneyNumber
    tax_rate: Annotated[PercentNumber, Field(validation_alias="tax_ppm")]
    tax: MoneyNumber
    total: MoneyNumber
    credit_applied: MoneyNumber
    amount_due: MoneyNumber
    credited: MoneyNumber
    period: Period
    issued_at: datetime
    due_at: datetime
    paid_at: datetime | None
    voided_at: datetime | None
    reason: str | None
    seller: Party
    buyer: Party
    lines: list[InvoiceLine]
    payments: list[InvoicePayment]


class CollectedInvoiceOut(BaseModel):
    """An invoice after an attempt to collect it. ``pending``: the customer has to pay it."""

    result: Collection
    invoice: InvoiceOut


class RecordPaymentBody(Body):
    """A payment outside of the platform, such as a bank transfer."""

    model_config = example({"reference": "Transfer of 12 January"})

    reference: ShortText | None = None


class ReasonBody(Body):
    """Why an invoice is voided or written off."""

    model_config = example({"reason": "Billed twice"})

    reason: Annotated[Text, Field(min_length=1, max_length=500)]


class CreditNoteBody(Body):
    """What to credit of a paid invoice.

    ``amount`` includes the tax; without it, all that is left is credited. ``refund_to`` is ``wallet``, ``credit`` for
    the customer's next invoices, or ``outside``; by default the wallet if it paid the invoice, else ``credit``.
    """

    model_config = example({"amount": 12.5, "reason": "Two days of downtime", "refund_to": "wallet"})

    amount: Amount | None = None
    reason: Annotated[Text, Field(min_length=1, max_length=500)]
    refund_to: RefundMethod | None = None
