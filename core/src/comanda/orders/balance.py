"""The balance of an order: the amount kept, whether it is paid, and the amount due.

Records, bills, pages, drivers and analytics all use these rules, in Python or in SQL.

- ``kept`` is the amount paid less the amount refunded, without tips and cash rounding of payments.
- An order is paid from the moment at which ``kept`` first reaches its total; ``paid_at`` is that moment. It stays paid,
  whatever is refunded later. An order of 0.00 is paid once it is settled with a payment of 0.00.
- The amount due is 0 for a paid or cancelled order, and otherwise the total less the amount kept.
"""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts.order_status import PaymentStatus, Status
from comanda.db import sql
from comanda.money import round_half_up

Row = Mapping[str, Any] | sql.Row

# The same rules in SQL, for the order ``o``.
KEPT: Final = "(o.paid_minor - o.refunded_minor)"
IS_PAID: Final = "(o.paid_at IS NOT NULL)"
AMOUNT_DUE: Final = f"""(CASE WHEN {IS_PAID} OR o.status = '{Status.CANCELLED}' THEN 0
    ELSE greatest(o.total_minor - {KEPT}, 0) END)"""


def is_paid(order: Row) -> bool:
    """Return whether the total of an order has ever been covered."""
    return order["paid_at"] is not None


def calculate_amount_due(order: Row) -> int:
    """Return the amount due of an order, in minor units."""
    kept = order["paid_minor"] - order["refunded_minor"]
    return calculate_due(order["total_minor"], kept, is_paid=is_paid(order), status=order["status"])


def calculate_due(total_minor: int, kept_minor: int, *, is_paid: bool, status: str) -> int:
    """Return the amount due for a total and the amount kept."""
    return 0 if is_paid or status == Status.CANCELLED else max(0, total_minor - kept_minor)


def round_to_cash_step(amount_minor: int, step_minor: int) -> int:
    """Round an amount half up to a multiple of the store's cash step; a step of 0 rounds nothing."""
    return round_half_up(amount_minor, step_minor) * step_minor if step_minor else amount_minor


def to_payment_status(total_minor: int, paid_minor: int, refunded_minor: int, *, is_paid: bool) -> PaymentStatus:
    """Return the payment status of an order from its amounts."""
    kept = paid_minor - refunded_minor
    if refunded_minor and kept <= 0:
        return PaymentStatus.REFUNDED
    if is_paid and kept >= total_minor:
        return PaymentStatus.PAID
    if not is_paid and paid_minor >= total_minor:
        # More was paid than the total, but refunds kept the balance below it: the total was never covered.
        return PaymentStatus.PARTIALLY_PAID
    if refunded_minor:
        return PaymentStatus.PARTIALLY_REFUNDED
    return PaymentStatus.PARTIALLY_PAID if kept else PaymentStatus.UNPAID
