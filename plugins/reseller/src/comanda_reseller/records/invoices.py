"""Records of invoices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber
from pydantic import Field

from comanda_reseller.models import InvoiceIssuer, InvoiceKind, InvoicePaymentStatus, InvoiceStatus


class Collection(StrEnum):
    """The result of collecting an invoice. With ``pending`` the customer pays it until it is due."""

    PAID = "paid"
    PENDING = "pending"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line to invoice, without tax; the unit price of a discount or of a credit for unused time is negative."""

    description: str
    unit_price_minor: int
    quantity: int = 1
    period_start: datetime | None = None
    period_end: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewInvoice:
    """An invoice to issue. ``reference`` makes it idempotent: an issuer issues one invoice for it.

    ``issued_at`` is the time at which it was due to be issued, which may be earlier than now.
    """

    lines: Sequence[NewLine]
    currency: str
    period_start: datetime
    period_end: datetime
    issued_at: datetime
    due_at: datetime
    reference: str
    subscription_id: int | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """The time that an invoice or a line is for; ``end`` is the first moment after it."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class InvoiceLine:
    """A line. ``amount`` is without the tax, which is beside it; that of a credit for unused time is negative."""

    description: str
    quantity: int
    unit_price: Money
    amount: Money
    tax: Money
    period: Period | None


@dataclass(frozen=True, slots=True)
class InvoicePayment:
    """An attempt to collect an invoice, or a payment that was recorded; that of a credit note is negative."""

    method: str
    status: InvoicePaymentStatus
    amount: Money
    reference: str | None
    error: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Party:
    """The seller or the buyer of an invoice, as it was when the invoice was issued."""

    name: str
    email: str
    address: str | None
    tax_number: str | None


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice, or a credit note, whose amounts are negative. It never changes but for its status and payments.

    The customer's credit paid ``credit_applied`` of ``total``; below zero, that much was added to the credit.
    ``credited`` is the total of its credit notes.
    """

    id: int
    # The reseller, also of an invoice from the platform to it.
    owner_id: Annotated[int, Field(exclude=True)]
    issuer: Annotated[InvoiceIssuer, Field(exclude=True)]
    kind: InvoiceKind
    reference: Annotated[str, Field(exclude=True)]
    number: str | None
    status: InvoiceStatus
    customer_id: int
    subscription_id: int | None
    credited_invoice_id: int | None
    currency: str
    subtotal: Money
    tax_ppm: Annotated[PercentNumber, Field(serialization_alias="tax_rate")]
    tax: Money
    total: Money
    credit_applied: Money
    amount_due: Money
    credited: Money
    period: Period
    issued_at: datetime
    due_at: datetime
    paid_at: datetime | None
    voided_at: datetime | None
    reason: str | None
    seller: Party
    buyer: Party
    lines: Sequence[InvoiceLine]
    payments: Sequence[InvoicePayment]

    @property
    def payable(self) -> Money:
        """What the customer has to pay for it, or had to: the total less the credit."""
        return self.total - self.credit_applied


@dataclass(frozen=True, slots=True)
class CollectedInvoice:
    """An invoice after an attempt to collect it. ``pending``: the customer has to pay it."""

    result: Collection
    invoice: Invoice


@dataclass(frozen=True, slots=True)
class InvoiceLink:
    """Links to an invoice for people without a token, until they expire."""

    page_url: str
    pdf_url: str
    expires_at: datetime
