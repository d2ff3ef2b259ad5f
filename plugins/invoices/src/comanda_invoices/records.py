"""Records of invoices and credit notes, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.basics import Money
from comanda.contracts import PercentNumber, StoreId

from comanda_invoices.models import DocumentKind


@dataclass(frozen=True, slots=True)
class Seller:
    """Who sells. ``note`` is what else its country wants to read on an invoice, such as a register number."""

    name: str
    address: str
    tax_number: str
    note: str


@dataclass(frozen=True, slots=True)
class Buyer:
    """Who the invoice is made out to."""

    name: str
    address: str
    tax_number: str


@dataclass(frozen=True, slots=True)
class OrderInvoiceLine:
    """A line of the order; its ``amount`` is before discounts."""

    name: str
    options: str
    quantity: int
    unit_price: Money
    tax_rate: PercentNumber
    amount: Money


@dataclass(frozen=True, slots=True)
class InvoiceAdjustment:
    """What is added to the lines, or taken off: discounts, charges, and tax that prices do not include."""

    label: str
    amount: Money


@dataclass(frozen=True, slots=True)
class TaxAmount:
    """What the document comes to at one tax rate, without tips; rate 0 is what is not taxed."""

    rate: PercentNumber
    net: Money
    tax: Money
    gross: Money


@dataclass(frozen=True, slots=True)
class OrderInvoicePayment:
    """A payment of the order, with its tip and cash rounding."""

    method: str
    amount: Money
    tip: Money
    paid_on: date


@dataclass(frozen=True, slots=True)
class InvoiceContent:
    """What stands in a document. ``total`` is the gross amounts of ``taxes`` and the ``tip``.

    A credit note has negative amounts, a ``reason`` and no lines; refunds have none of their own in an invoice.
    """

    order_number: int
    supplied_on: date
    seller: Seller
    buyer: Buyer
    lines: Sequence[OrderInvoiceLine]
    adjustments: Sequence[InvoiceAdjustment]
    is_tax_included: bool
    taxes: Sequence[TaxAmount]
    tip: Money
    total: Money
    payments: Sequence[OrderInvoicePayment]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class InvoiceSummary:
    """A document in a list. An invoice ``is_cancelled`` once credit notes have come to its total."""

    id: int
    store_id: StoreId
    order_id: int
    kind: DocumentKind
    number: str
    issued_on: date
    buyer: str
    tax_number: str
    tax: Money
    total: Money
    currency: str
    is_cancelled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInvoice(InvoiceContent):
    """An invoice, or a credit note of the invoice ``invoice_id``. ``credited`` is what credit notes take off it."""

    id: int
    store_id: StoreId
    order_id: int
    kind: DocumentKind
    number: str
    invoice_id: int | None
    invoice_number: str | None
    issued_on: date
    issued_at: datetime
    currency: str
    credited: Money
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class SentReceipt:
    """The address that the receipt of an order is sent to."""

    email: str
