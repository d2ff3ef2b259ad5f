"""Records of shifts and movements for the API."""

from typing import Any

from comanda import money
from comanda.db import sql

SHIFT_COLUMNS = """s.id, s.owner_id, s.store_id, s.drawer, s.currency, s.status, s.opened_by, s.opened_at,
    s.opening_float_minor, s.closed_by, s.closed_at, s.expected_minor, s.counted_minor, s.difference_minor, s.note,
    s.open_hash, s.close_key, s.close_hash"""
MOVEMENT_COLUMNS = """id, shift_id, kind, amount_minor, order_id, payment_id, refund_id, driver_id, actor, note,
    booked_at, body_hash"""


def to_shift_record(row: sql.Row, expected_minor: int) -> dict[str, Any]:
    """Return the record of a shift from a row with ``SHIFT_COLUMNS`` and its expected cash."""

    def to_amount(value: int | None) -> float | None:
        return None if value is None else money.to_number(int(value), row["currency"])

    return {
        **{name: row[name] for name in ("id", "drawer", "status", "currency", "opened_by", "opened_at")},
        "restaurant_id": row["store_id"],
        "opening_float": to_amount(row["opening_float_minor"]),
        "expected": to_amount(expected_minor),
        **{name: row[name] for name in ("closed_by", "closed_at", "note")},
        "counted": to_amount(row["counted_minor"]),
        "difference": to_amount(row["difference_minor"]),
    }


def to_movement_record(row: sql.Row, currency: str) -> dict[str, Any]:
    """Return the record of a movement from a row with ``MOVEMENT_COLUMNS``."""
    names = ("id", "shift_id", "kind", "order_id", "payment_id", "refund_id", "driver_id", "actor", "note", "booked_at")
    return {
        **{name: row[name] for name in names},
        "amount": money.to_number(row["amount_minor"], currency),
        "currency": currency,
    }
