"""Invoices as people read them: every figure formatted, in English, with dates of UTC."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.basics import Money, to_percent

from comanda_reseller.models import InvoiceKind, InvoiceStatus
from comanda_reseller.records import invoices as records
from comanda_reseller.records.invoices import Invoice, InvoiceLine, Period

TITLES: Final = {InvoiceKind.INVOICE: "Invoice", InvoiceKind.CREDIT_NOTE: "Credit note"}
STATUS_LABELS: Final = {
    InvoiceStatus.DRAFT: "Draft",
    InvoiceStatus.OPEN: "Open",
    InvoiceStatus.PAID: "Paid",
    InvoiceStatus.VOID: "Void",
    InvoiceStatus.UNCOLLECTIBLE: "Written off",
}
MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Party:
    """A seller or buyer: a name, and the lines of its address, e-mail address and tax number."""

    name: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line of an invoice."""

    description: str
    period: str
    quantity: str
    unit_price: str
    tax_rate: str
    tax: str
    amount: str


@dataclass(frozen=True, slots=True)
class InvoiceDocument:
    """An invoice for a page or a PDF. ``facts`` and ``totals`` are labels with their values, the amount due last."""

    title: str
    number: str
    status: str
    status_label: str
    issued_at: datetime
    facts: Sequence[tuple[str, str]]
    seller: Party
    buyer: Party
    lines: Sequence[DocumentLine]
    totals: Sequence[tuple[str, str]]
    notes: Sequence[str]


def to_document(invoice: Invoice, payment_note: str | None = None) -> InvoiceDocument:
    """Format an invoice; ``payment_note`` tells how to pay one that is open."""
    return InvoiceDocument(
        title=TITLES[invoice.kind],
        number=invoice.number or "",
        status=invoice.status,
        status_label=_get_status_label(invoice),
        issued_at=invoice.issued_at,
        facts=list(_list_facts(invoice)),
        seller=_to_party(invoice.seller),
        buyer=_to_party(invoice.buyer),
        lines=[_to_line(line, invoice.tax_ppm) for line in invoice.lines],
        totals=list(_list_totals(invoice)),
        notes=list(_list_notes(invoice, payment_note)),
    )


def format_date(moment: datetime) -> str:
    """Return a date of UTC, such as ``5 January 2030``."""
    return f"{moment.day} {moment:%B %Y}"


def format_money(amount: Money) -> str:
    """Return an amount with its currency: ``1,290.00 EUR``."""
    return f"{format_amount(amount)} {amount.currency}"


def format_amount(amount: Money) -> str:
    """Return an amount with separators, without its currency."""
    whole, point, decimals = amount.to_decimal_string().partition(".")
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}{point}{decimals}"


def _get_status_label(invoice: Invoice) -> str:
    if invoice.kind is InvoiceKind.CREDIT_NOTE:
        return "Refunded"
    return STATUS_LABELS[invoice.status]


def _list_facts(invoice: Invoice) -> Iterator[tuple[str, str]]:
    yield "Number", invoice.number or ""
    yield "Issued", format_date(invoice.issued_at)
    yield "Period", _format_period(invoice.period)
    if invoice.kind is InvoiceKind.INVOICE and invoice.status is not InvoiceStatus.PAID:
        yield "Due", format_date(invoice.due_at)
    yield "Status", _get_status_label(invoice)
    if invoice.paid_at is not None:
        yield ("Paid" if invoice.kind is InvoiceKind.INVOICE else "Refunded"), format_date(invoice.paid_at)
    if invoice.reason:
        yield "Reason", invoice.reason


def _format_period(period: Period) -> str:
    """Return the first and the last day of a period."""
    last = max(period.start, period.end - MOMENT)
    return f"{format_date(period.start)} \N{EN DASH} {format_date(last)}"


def _to_party(party: records.Party) -> Party:
    lines = [line.strip() for line in (party.address or "").splitlines() if line.strip()]
    if party.email:
        lines.append(party.email)
    if party.tax_number:
        lines.append(f"Tax number: {party.tax_number}")
    return Party(party.name, lines)


def _to_line(line: InvoiceLine, tax_ppm: int) -> DocumentLine:
    return DocumentLine(
        description=line.description,
        period="" if line.period is None else _format_period(line.period),
        quantity=str(line.quantity),
        unit_price=format_amount(line.unit_price),
        tax_rate=_format_rate(tax_ppm),
        tax=format_amount(line.tax),
        amount=format_amount(line.amount),
    )


def _format_rate(tax_ppm: int) -> str:
    return f"{to_percent(tax_ppm):g} %"


def _list_totals(invoice: Invoice) -> Iterator[tuple[str, str]]:
    yield "Subtotal", format_money(invoice.subtotal)
    yield f"Tax {_format_rate(invoice.tax_ppm)}", format_money(invoice.tax)
    yield "Total", format_money(invoice.total)
    credit = invoice.credit_applied
    if credit.minor > 0:
        yield "Paid with credit", format_money(Money(-credit.minor, credit.currency))
    if credit.minor < 0:
        yield "Added to your credit", format_money(Money(-credit.minor, credit.currency))
    if invoice.credited.minor:
        yield "Credited since", format_money(Money(-invoice.credited.minor, invoice.currency))
    if invoice.kind is InvoiceKind.INVOICE:
        yield "Amount due", format_money(invoice.amount_due)


def _list_notes(invoice: Invoice, payment_note: str | None) -> Iterator[str]:
    if invoice.status is InvoiceStatus.OPEN and payment_note:
        yield payment_note
    if invoice.status is InvoiceStatus.VOID:
        yield "This invoice is void. Nothing is to be paid for it."
