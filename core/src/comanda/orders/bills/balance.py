"""The balance of an order: the amount kept, whether it is paid, and the amount due.

Records, bills, pages, drivers and analytics all use these rules, in Python or in SQL.

- ``kept`` is the amount paid less the amount refunded, without tips and cash rounding of payments.
- The total of an order is covered at the moment at which ``kept`` first reaches it; ``paid_at`` is that moment. It
  stays covered, whatever is refunded later. An order of 0.00 is covered when it is placed.
- A charge that is added after that, such as a late fee, is due by itself: ``late_due_minor`` is what is still to pay of
  such charges. Payments lower it, refunds do not raise it.
- An order is paid if its total was covered and nothing is due of later charges.
- An order with the attribute ``pay_by`` awaits its payment while it is new and something is due: the kitchen, printers
  and drivers do not see it. It is begun once it is paid, or by staff who change its status all the same.
- The amount due is 0 for a cancelled order, ``late_due_minor`` for a covered one, and otherwise the total less the
  amount kept.
"""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics.money import round_half_up
from comanda.contracts.orders.status import PaymentStatus, Status
from comanda.platform.db import sql

Row = Mapping[str, Any] | sql.Row

# The same rules in SQL, for the order ``o``.
KEPT: Final = "(o.paid_minor - o.refunded_minor)"
WAS_COVERED: Final = "(o.paid_at IS NOT NULL)"
IS_PAID: Final = "(o.paid_at IS NOT NULL AND o.late_due_minor = 0)"
HAS_LATE_CHARGES: Final = """(o.charges @> '[{"is_late": true}]'::jsonb)"""
AMOUNT_DUE: Final = f"""(CASE WHEN o.status = '{Status.CANCELLED}' THEN 0 WHEN {WAS_COVERED} THEN o.late_due_minor
    ELSE greatest(o.total_minor - {KEPT}, 0) END)"""
# The attribute of an order that nobody begins before it is paid: until when that may be, as an ISO 8601 time.
PAY_BY: Final = "pay_by"
AWAITS_PAYMENT: Final = (
    f"(o.status = '{Status.NEW}' AND coalesce(o.attributes ? '{PAY_BY}', false) AND {AMOUNT_DUE} > 0)"
)


def is_paid(order: Row) -> bool:
    """Return whether the total of an order was covered and nothing is due of later charges."""
    return order["paid_at"] is not None and not order["late_due_minor"]


def calculate_amount_due(order: Row) -> int:
    """Return the amount due of an order, in minor units."""
    return calculate_due(
        order["total_minor"],
        order["paid_minor"] - order["refunded_minor"],
        was_covered=order["paid_at"] is not None,
        late_due_minor=order["late_due_minor"],
        status=order["status"],
    )


def calculate_due(total_minor: int, kept_minor: int, *, was_covered: bool, late_due_minor: int, status: str) -> int:
    """Return the amount due for a total and the amount kept."""
    if status == Status.CANCELLED:
        return 0
    return late_due_minor if was_covered else max(0, total_minor - kept_minor)


def round_to_cash_step(amount_minor: int, step_minor: int) -> int:
    """Round an amount half up to a multiple of the store's cash step; a step of 0 rounds nothing."""
    return round_half_up(amount_minor, step_minor) * step_minor if step_minor else amount_minor


def to_payment_status(
    total_minor: int, paid_minor: int, refunded_minor: int, *, is_paid: bool, late_due_minor: int = 0
) -> PaymentStatus:
    """Return the payment status of an order from its amounts; ``is_paid`` is whether its total was ever covered."""
    kept = paid_minor - refunded_minor
    if late_due_minor:
        return PaymentStatus.PARTIALLY_PAID if kept > 0 else PaymentStatus.UNPAID
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
