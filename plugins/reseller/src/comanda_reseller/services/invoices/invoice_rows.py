"""Rows of invoices, read as records."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from comanda.basics import Money
from comanda.platform.db import sql

from comanda_reseller.models import InvoiceIssuer, InvoiceKind, InvoicePaymentStatus, InvoiceStatus
from comanda_reseller.records.invoices import Invoice, InvoiceLine, InvoicePayment, Party, Period

INVOICE_COLUMNS: Final = """
    i.id, i.owner_id, i.issuer, i.kind, i.customer_owner_id, i.subscription_id, i.credited_invoice_id, i.reference,
    i.number, i.status, i.currency, i.subtotal_minor, i.tax_ppm, i.tax_minor, i.total_minor, i.credit_minor,
    i.period_start, i.period_end, i.issued_at, i.due_at, i.paid_at, i.voided_at, i.reason, i.seller, i.buyer
"""
SELECT_INVOICE: Final = f"SELECT {INVOICE_COLUMNS} FROM reseller_invoice i WHERE i.owner_id = $1 AND i.id = $2"
LOCK_INVOICE: Final = f"{SELECT_INVOICE} FOR NO KEY UPDATE"
SELECT_INVOICE_BY_REFERENCE: Final = f"""
    SELECT {INVOICE_COLUMNS} FROM reseller_invoice i WHERE i.owner_id = $1 AND i.issuer = $2 AND i.reference = $3
"""
SELECT_LINES: Final = """
    SELECT invoice_id, description, quantity, unit_price_minor, amount_minor, tax_minor, period_start, period_end
    FROM reseller_invoice_line WHERE owner_id = $1 AND invoice_id = ANY($2::bigint[]) ORDER BY invoice_id, position
"""
SELECT_PAYMENTS: Final = """
    SELECT invoice_id, method, status, amount_minor, reference, error, created_at
    FROM reseller_invoice_payment WHERE owner_id = $1 AND invoice_id = ANY($2::bigint[]) ORDER BY invoice_id, id
"""
SELECT_CREDITED: Final = """
    SELECT credited_invoice_id, -sum(total_minor)::bigint AS credited_minor
    FROM reseller_invoice WHERE owner_id = $1 AND credited_invoice_id = ANY($2::bigint[]) GROUP BY credited_invoice_id
"""


async def get_invoice(owner_id: int, invoice_id: int, *, is_locked: bool = False) -> Invoice:
    """Return an invoice of a reseller, issued by or to it; locked until the transaction ends. Raises ``NotFound``."""
    row = await sql.require_one(LOCK_INVOICE if is_locked else SELECT_INVOICE, owner_id, invoice_id)
    return (await to_invoices(owner_id, [row]))[0]


async def find_by_reference(owner_id: int, issuer: InvoiceIssuer, reference: str) -> Invoice | None:
    """Return the invoice that was issued for a reference, or None."""
    row = await sql.fetch_one(SELECT_INVOICE_BY_REFERENCE, owner_id, issuer, reference)
    return None if row is None else (await to_invoices(owner_id, [row]))[0]


async def to_invoices(owner_id: int, rows: Sequence[sql.Row]) -> list[Invoice]:
    """Return records of a reseller's rows, with their lines, payments and credit notes, in three statements."""
    ids = [row["id"] for row in rows]
    if not ids:
        return []
    lines = _group(await sql.fetch(SELECT_LINES, owner_id, ids))
    payments = _group(await sql.fetch(SELECT_PAYMENTS, owner_id, ids))
    credited = {
        row["credited_invoice_id"]: row["credited_minor"] for row in await sql.fetch(SELECT_CREDITED, owner_id, ids)
    }
    return [_to_invoice(row, lines[row["id"]], payments[row["id"]], credited.get(row["id"], 0)) for row in rows]


def _group(rows: Sequence[sql.Row]) -> Mapping[int, list[sql.Row]]:
    groups: dict[int, list[sql.Row]] = defaultdict(list)
    for row in rows:
        groups[row["invoice_id"]].append(row)
    return groups


def _to_invoice(row: sql.Row, lines: Sequence[sql.Row], payments: Sequence[sql.Row], credited_minor: int) -> Invoice:
    currency, status = row["currency"], InvoiceStatus(row["status"])
    total, credit = Money(row["total_minor"], currency), Money(row["credit_minor"], currency)
    return sql.to_record(
        Invoice,
        row,
        issuer=InvoiceIssuer(row["issuer"]),
        kind=InvoiceKind(row["kind"]),
        customer_id=row["customer_owner_id"],
        status=status,
        currency=currency,
        subtotal=Money(row["subtotal_minor"], currency),
        tax=Money(row["tax_minor"], currency),
        total=total,
        credit_applied=credit,
        amount_due=total - credit if status is InvoiceStatus.OPEN else Money(0, currency),
        credited=Money(credited_minor, currency),
        period=Period(row["period_start"], row["period_end"]),
        seller=_to_party(row["seller"]),
        buyer=_to_party(row["buyer"]),
        lines=[_to_line(line, currency) for line in lines],
        payments=[_to_payment(payment, currency) for payment in payments],
    )


def _to_party(stored: Any) -> Party:
    return Party(**(orjson.loads(stored) if isinstance(stored, str | bytes) else stored))


def _to_line(row: sql.Row, currency: str) -> InvoiceLine:
    start, end = row["period_start"], row["period_end"]
    return InvoiceLine(
        description=row["description"],
        quantity=row["quantity"],
        unit_price=Money(row["unit_price_minor"], currency),
        amount=Money(row["amount_minor"], currency),
        tax=Money(row["tax_minor"], currency),
        period=None if start is None or end is None else Period(start, end),
    )


def _to_payment(row: sql.Row, currency: str) -> InvoicePayment:
    return InvoicePayment(
        method=row["method"],
        status=InvoicePaymentStatus(row["status"]),
        amount=Money(row["amount_minor"], currency),
        reference=row["reference"],
        error=row["error"],
        created_at=row["created_at"],
    )
