"""Numbers of invoices and credit notes, without gaps within an issuer and a kind.

The counter is a row that the transaction which issues an invoice keeps locked. It commits with the invoice or not at
all, so a number is never lost, whatever ends the transaction, and nobody else takes one meanwhile.
"""

from typing import Final

from comanda.platform.db import sql

from comanda_reseller.models import InvoiceIssuer, InvoiceKind

# The platform counts over all resellers.
PLATFORM_OWNER_ID: Final = 0
CREDIT_NOTE_MARK: Final = "C"
DIGITS: Final = 6

LOCK_COUNTER: Final = """
    INSERT INTO reseller_invoice_counter AS c (owner_id, issuer, kind, last_number) VALUES ($1, $2, $3, 0)
    ON CONFLICT (owner_id, issuer, kind) DO UPDATE SET last_number = c.last_number
"""
TAKE_NUMBER: Final = """
    UPDATE reseller_invoice_counter SET last_number = last_number + 1
    WHERE owner_id = $1 AND issuer = $2 AND kind = $3 RETURNING last_number
"""


async def lock_counter(owner_id: int, issuer: InvoiceIssuer, kind: InvoiceKind) -> None:
    """Lock an issuer's counter until the open transaction ends, so that nobody else issues anything meanwhile."""
    await sql.execute(LOCK_COUNTER, _get_counter_owner(owner_id, issuer), issuer, kind)


async def take_number(owner_id: int, issuer: InvoiceIssuer, kind: InvoiceKind) -> int:
    """Return the next number of an issuer. ``lock_counter`` was called before."""
    return int(await sql.fetch_value(TAKE_NUMBER, _get_counter_owner(owner_id, issuer), issuer, kind))


def format_number(prefix: str, kind: InvoiceKind, sequence: int) -> str:
    """Return what people read: ``INV-000017``, and ``INVC-000003`` for a credit note."""
    mark = CREDIT_NOTE_MARK if kind is InvoiceKind.CREDIT_NOTE else ""
    return f"{prefix}{mark}-{sequence:0{DIGITS}}"


def _get_counter_owner(owner_id: int, issuer: InvoiceIssuer) -> int:
    return PLATFORM_OWNER_ID if issuer is InvoiceIssuer.PLATFORM else owner_id
