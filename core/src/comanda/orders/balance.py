"""The balance of an order: what was kept of its payments, whether it is paid, and what is still due.

This is the one rule; records, bills, pages, drivers and analytics all take it from here, in Python or in SQL.

- ``kept`` is what was paid less what was refunded. Tips and cash rounding of payments are no part of it.
- An order is paid from the moment at which ``kept`` first reached its total; ``paid_at`` is that moment. It stays paid
  whatever is refunded later. An order of 0.00 is paid once somebody settles it, with a payment of 0.00.
- Nothing is due of an order that is paid or cancelled; of any other, the total less what was kept.
"""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts.order_status import PaymentStatus, Status
from comanda.db import sql
from comanda.money import round_half_up

Row = Mapping[str, Any] | sql.Row

# The same of the order ``o`` in a statement.
KEPT: Final = "(o.paid_minor - o.refunded_minor)"
IS_PAID: Final = "(o.paid_at IS NOT NULL)"
AMOUNT_DUE: Final = f"""(CASE WHEN {IS_PAID} OR o.status = '{Status.CANCELLED}' THEN 0
    ELSE greatest(o.total_minor - {KEPT}, 0) END)"""


def is_paid(order: Row) -> bool:
    """Return whether the total of an order was covered at some moment."""
    return order["paid_at"] is not None


def amount_due_minor(order: Row) -> int:
    """Return what is still to pay of an order."""
    kept = order["paid_minor"] - order["refunded_minor"]
    return due_minor(order["total_minor"], kept, is_paid=is_paid(order), status=order["status"])


def due_minor(total_minor: int, kept_minor: int, *, is_paid: bool, status: str) -> int:
    """Return what is still to pay of an order of which so much was kept."""
    return 0 if is_paid or status == Status.CANCELLED else max(0, total_minor - kept_minor)


def in_cash_minor(amount_minor: int, step_minor: int) -> int:
    """Round an amount half up to coins worth ``step_minor`` at least; 0 where every amount can be counted out."""
    return round_half_up(amount_minor, step_minor) * step_minor if step_minor else amount_minor


def payment_status(total_minor: int, paid_minor: int, refunded_minor: int, *, is_paid: bool) -> PaymentStatus:
    """Return the word for what was paid and refunded of an order that is paid, or is not."""
    kept = paid_minor - refunded_minor
    if refunded_minor and kept <= 0:
        return PaymentStatus.REFUNDED
    if is_paid and kept >= total_minor:
        return PaymentStatus.PAID
    if not is_paid and paid_minor >= total_minor:
        # More came in than the order costs, but too much of it went back: its total was never covered.
        return PaymentStatus.PARTIALLY_PAID
    if refunded_minor:
        return PaymentStatus.PARTIALLY_REFUNDED
    return PaymentStatus.PARTIALLY_PAID if kept else PaymentStatus.UNPAID
