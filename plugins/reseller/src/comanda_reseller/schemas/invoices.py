"""Requests about invoices."""

from typing import Annotated

from comanda.contracts import Amount, Body, Id, ShortText, Text, example
from pydantic import BaseModel, Field

from comanda_reseller.models import InvoiceKind, InvoiceStatus
from comanda_reseller.services.invoices.credit_notes import RefundMethod


class OwnInvoiceQuery(BaseModel):
    """Filters for invoices: by status, and by whether they are invoices or credit notes."""

    status: InvoiceStatus | None = None
    kind: InvoiceKind | None = None


class InvoiceQuery(OwnInvoiceQuery):
    """Filters for invoices to customers: by status, kind, customer and subscription."""

    customer_id: Id | None = None
    subscription_id: Id | None = None


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
