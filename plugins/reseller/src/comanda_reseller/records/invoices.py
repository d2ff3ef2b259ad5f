"""Records of invoices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from comanda.money import Money

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
    """An invoice or credit note. ``owner_id`` is the reseller, also of an invoice from the platform to it.

    The customer's credit pays ``credit_applied`` of the total; below zero, that much was added to the credit.
    ``credited`` is the total of its credit notes, as a positive amount.
    """

    id: int
    owner_id: int
    issuer: InvoiceIssuer
    kind: InvoiceKind
    customer_id: int
    subscription_id: int | None
    credited_invoice_id: int | None
    reference: str
    number: str | None
    status: InvoiceStatus
    subtotal: Money
    tax_ppm: int
    tax: Money
    total: Money
    credit_applied: Money
    credited: Money
    period_start: datetime
    period_end: datetime
    issued_at: datetime
    due_at: datetime
    paid_at: datetime | None
    voided_at: datetime | None
    written_off_at: datetime | None
    reason: str | None
    seller: Party
    buyer: Party
    lines: Sequence[InvoiceLine]
    payments: Sequence[InvoicePayment]

    @property
    def currency(self) -> str:
        """The currency of the amounts."""
        return self.total.currency

    @property
    def period(self) -> Period:
        """The time that it is for."""
        return Period(self.period_start, self.period_end)

    @property
    def payable(self) -> Money:
        """What the customer has to pay for it, or had to: the total less the credit."""
        return self.total - self.credit_applied

    @property
    def amount_due(self) -> Money:
        """What is still to pay."""
        return self.payable if self.status is InvoiceStatus.OPEN else Money(0, self.currency)


@dataclass(frozen=True, slots=True)
class CollectedInvoice:
    """An invoice after an attempt to collect it."""

    result: Collection
    invoice: Invoice


@dataclass(frozen=True, slots=True)
class InvoiceLink:
    """Links to an invoice for people without a token, until they expire."""

    page_url: str
    pdf_url: str
    expires_at: datetime
