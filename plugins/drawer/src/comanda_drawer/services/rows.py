"""Rows of shifts and movements, and the records made of them."""

from comanda.basics import Money
from comanda.platform.db import sql

from comanda_drawer.models import MovementKind, ShiftStatus
from comanda_drawer.records import Movement, Shift

SHIFT_COLUMNS = """s.id, s.owner_id, s.store_id, s.drawer, s.currency, s.status, s.opened_by, s.opened_at,
    s.opening_float_minor, s.closed_by, s.closed_at, s.expected_minor, s.counted_minor, s.difference_minor, s.note"""
MOVEMENT_COLUMNS = """id, shift_id, kind, amount_minor, order_id, payment_id, refund_id, driver_id, actor, note,
    booked_at"""


def to_shift(row: sql.Row, expected_minor: int) -> Shift:
    """Return the shift of a row with ``SHIFT_COLUMNS`` and its expected cash."""

    def to_amount(value: int | None) -> Money | None:
        return None if value is None else Money(int(value), row["currency"])

    return sql.to_record(
        Shift,
        row,
        status=ShiftStatus(row["status"]),
        opening_float=Money(row["opening_float_minor"], row["currency"]),
        expected=Money(expected_minor, row["currency"]),
        counted=to_amount(row["counted_minor"]),
        difference=to_amount(row["difference_minor"]),
    )


def to_movement(row: sql.Row, currency: str) -> Movement:
    """Return the movement of a row with ``MOVEMENT_COLUMNS``."""
    return sql.to_record(
        Movement, row, kind=MovementKind(row["kind"]), amount=Money(row["amount_minor"], currency), currency=currency
    )
