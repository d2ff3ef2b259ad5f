"""Payments and refunds as the API returns them."""

from typing import Any

from comanda import money
from comanda.db import sql

PAYMENT_COLUMNS = """p.id, p.owner_id, p.store_id, p.order_id, p.method, p.status, p.amount_minor, p.tip_minor,
    p.rounding_minor, p.tendered_minor, p.change_minor, p.refunded_minor, p.reference, p.card_id, p.account_id,
    p.gateway_reference, p.charge_reference, p.redirect_url, p.return_url, p.instructions, p.failure, p.expires_at,
    p.check_at, p.driver_id, p.body_hash, p.created_at, p.finished_at"""

SELECT_REFUND_LINES = """
    SELECT line_id, quantity, amount_minor, is_restocked FROM payments_refund_line
    WHERE refund_id = $1 AND owner_id = $2 ORDER BY id
"""
SELECT_REFUND_PARTS = """
    SELECT r.id, r.payment_id, r.amount_minor, r.status, r.failure, r.gateway_reference, p.method, p.card_id,
        p.account_id, p.charge_reference, p.driver_id
    FROM payments_refund_part r JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
    WHERE r.refund_id = $1 AND r.owner_id = $2 ORDER BY r.id
"""


def to_payment_record(row: sql.Row, currency: str) -> dict[str, Any]:
    """Return the record of a payment from a row with ``PAYMENT_COLUMNS``."""

    def get_amount(name: str) -> float | None:
        value = row[f"{name}_minor"]
        return None if value is None else money.to_number(value, currency)

    return {
        **{name: row[name] for name in ("id", "order_id", "method", "status", "reference", "instructions", "failure")},
        "restaurant_id": row["store_id"],
        "currency": currency,
        **{name: get_amount(name) for name in ("amount", "tip", "rounding", "tendered", "change", "refunded")},
        "gift_card_id": row["card_id"],
        "driver_id": row["driver_id"],
        # The page of a finished payment is of no use.
        "redirect_url": row["redirect_url"] if row["status"] == "pending" else None,
        **{name: row[name] for name in ("expires_at", "created_at", "finished_at")},
    }


async def to_refund_record(row: sql.Row, currency: str) -> dict[str, Any]:
    """Return the record of a refund with its lines and parts."""
    lines = await sql.fetch(SELECT_REFUND_LINES, row["id"], row["owner_id"])
    parts = await sql.fetch(SELECT_REFUND_PARTS, row["id"], row["owner_id"])
    return {
        **{name: row[name] for name in ("id", "order_id", "status", "reason", "created_at", "completed_at")},
        "restaurant_id": row["store_id"],
        "amount": money.to_number(row["amount_minor"], currency),
        "currency": currency,
        "lines": [
            {
                "line_id": line["line_id"],
                "quantity": line["quantity"],
                "amount": money.to_number(line["amount_minor"], currency),
                "restock": line["is_restocked"],
            }
            for line in lines
        ],
        "parts": [
            {
                "payment_id": part["payment_id"],
                "method": part["method"],
                "amount": money.to_number(part["amount_minor"], currency),
                "status": part["status"],
                "failure": part["failure"],
            }
            for part in parts
        ],
    }
