"""The rows of a new invoice or credit note, written with its number in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from comanda.basics import MAX_MINOR, PPM_OF_WHOLE, ValidationFailed, clock, round_half_up
from comanda.platform.db import sql

from comanda_reseller.models import Account, Invoice, InvoiceIssuer, InvoiceKind, InvoiceStatus
from comanda_reseller.records.invoices import NewLine, Party
from comanda_reseller.services.invoices import invoice_numbers, reminders
from comanda_reseller.settings import get_settings

MAX_LINES: Final = 1000
INSERT_LINES: Final = """
    INSERT INTO reseller_invoice_line (owner_id, invoice_id, position, description, quantity, unit_price_minor,
        amount_minor, tax_minor, period_start, period_end)
    SELECT $1, $2, l.* FROM unnest($3::smallint[], $4::text[], $5::int[], $6::bigint[], $7::bigint[], $8::bigint[],
        $9::timestamptz[], $10::timestamptz[]) AS l
"""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of an invoice in minor units, and the tax of each line."""

    subtotal_minor: int
    tax_minor: int
    line_taxes_minor: Sequence[int]

    @property
    def total_minor(self) -> int:
        """The subtotal and the tax."""
        return self.subtotal_minor + self.tax_minor


@dataclass(frozen=True, slots=True)
class NewDocument:
    """An invoice or credit note, computed and ready to be numbered."""

    issuer: InvoiceIssuer
    kind: InvoiceKind
    customer_owner_id: int
    subscription_id: int | None
    credited_invoice_id: int | None
    reference: str
    currency: str
    period_start: datetime
    period_end: datetime
    issued_at: datetime
    due_at: datetime
    tax_ppm: int
    amounts: Amounts
    credit_minor: int
    lines: Sequence[NewLine]
    seller: Party
    buyer: Party
    reason: str | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to pay: for a credit note, and once credit has paid everything."""
        return self.kind is InvoiceKind.CREDIT_NOTE or self.amounts.total_minor == self.credit_minor


def compute_amounts(lines: Sequence[NewLine], tax_ppm: int) -> Amounts:
    """Compute the amounts of an invoice. Raises ``ValidationFailed`` for no lines, too many, or amounts too large."""
    if not 1 <= len(lines) <= MAX_LINES:
        raise ValidationFailed(lines=[f"An invoice has 1 to {MAX_LINES} lines."])
    amounts_minor = [line.quantity * line.unit_price_minor for line in lines]
    taxes_minor = compute_taxes(amounts_minor, tax_ppm)
    if max(abs(minor) for minor in (*amounts_minor, sum(amounts_minor) + sum(taxes_minor))) > MAX_MINOR:
        raise ValidationFailed(lines=["The amount is too large."])
    return Amounts(sum(amounts_minor), sum(taxes_minor), taxes_minor)


async def create_document(account: Account, new: NewDocument) -> int:
    """Number and store an invoice or credit note in the open transaction, and return its id.

    The counter is locked already.
    """
    owner_id = account.owner_id
    sequence = await invoice_numbers.take_number(owner_id, new.issuer, new.kind)
    is_platform = new.issuer is InvoiceIssuer.PLATFORM
    prefix = get_settings().platform_invoice_prefix if is_platform else account.invoice_prefix
    is_settled = new.is_settled
    row = await Invoice.create(
        owner_id=owner_id,
        issuer=new.issuer,
        kind=new.kind,
        customer_owner_id=new.customer_owner_id,
        subscription_id=new.subscription_id,
        credited_invoice_id=new.credited_invoice_id,
        reference=new.reference,
        sequence=sequence,
        number=invoice_numbers.format_number(prefix, new.kind, sequence),
        status=InvoiceStatus.PAID if is_settled else InvoiceStatus.OPEN,
        currency=new.currency,
        subtotal_minor=new.amounts.subtotal_minor,
        tax_ppm=new.tax_ppm,
        tax_minor=new.amounts.tax_minor,
        total_minor=new.amounts.total_minor,
        credit_minor=new.credit_minor,
        period_start=new.period_start,
        period_end=new.period_end,
        issued_at=new.issued_at,
        due_at=new.due_at,
        paid_at=new.issued_at if is_settled else None,
        remind_at=None if is_settled else reminders.get_next_reminder(new.due_at, new.issued_at),
        reason=new.reason,
        seller=asdict(new.seller),
        buyer=asdict(new.buyer),
        created_at=clock.now(),
    )
    await _insert_lines(owner_id, row.id, new)
    return int(row.id)


async def _insert_lines(owner_id: int, invoice_id: int, new: NewDocument) -> None:
    rows = [
        (
            position,
            line.description[:255],
            line.quantity,
            line.unit_price_minor,
            line.quantity * line.unit_price_minor,
            tax_minor,
            line.period_start,
            line.period_end,
        )
        for position, (line, tax_minor) in enumerate(zip(new.lines, new.amounts.line_taxes_minor, strict=True), 1)
    ]
    await sql.execute(INSERT_LINES, owner_id, invoice_id, *(list(column) for column in zip(*rows, strict=True)))


def compute_taxes(amounts_minor: Sequence[int], rate_ppm: int) -> list[int]:
    """Return the tax of each line in minor units, with the sign of its amount.

    The tax is rounded once, on the sum of all lines, and divided among them so that they add up to it exactly.
    """
    taxes = []
    base_minor = tax_minor = 0
    for amount_minor in amounts_minor:
        base_minor += amount_minor
        taxes.append(round_half_up(base_minor * rate_ppm, PPM_OF_WHOLE) - tax_minor)
        tax_minor += taxes[-1]
    return taxes
