"""Orders of a customer."""

import hashlib
from typing import Any

import orjson
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.money import to_number
from comanda.orders.balance import calculate_amount_due, is_paid

SELECT_LATEST_ORDERS = """
    SELECT o.id, o.number, o.type, o.status, o.delivery_status, o.payment_status, o.paid_minor, o.refunded_minor,
           o.paid_at, o.currency, o.total_minor, o.business_date, o.scheduled_for, o.created_at,
           (SELECT coalesce(json_agg(json_build_object('name', l.name, 'quantity', l.quantity) ORDER BY l.position),
                   '[]')
            FROM core_order_line l WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS items
    FROM core_order o
    WHERE o.owner_id = $1 AND o.store_id = $2 AND o.customer_id = $3
    ORDER BY o.id DESC LIMIT $4
"""
SELECT_TRACKED_ORDER = """
    SELECT track_token FROM core_order
    WHERE owner_id = $1 AND store_id = $2 AND customer_id = $3 AND (id = $4::bigint OR track_hash = $5::bytea)
"""
PLAIN_COLUMNS = (
    "id", "number", "type", "status", "delivery_status", "currency", "business_date", "scheduled_for", "created_at",
)  # fmt: skip


async def list_latest_orders(caller: Caller, limit: int) -> list[dict[str, Any]]:
    """List the customer's latest orders in the store of their token."""
    rows = await sql.fetch(SELECT_LATEST_ORDERS, caller.owner_id, caller.store_id, caller.subject_id, limit)
    return [
        {
            **{name: row[name] for name in PLAIN_COLUMNS},
            "is_paid": is_paid(row),
            "total": to_number(row["total_minor"], row["currency"]),
            "amount_due": to_number(calculate_amount_due(row), row["currency"]),
            "items": orjson.loads(row["items"]),
        }
        for row in rows
    ]


async def find_track_token(caller: Caller, order_id: int | None, track_token: str | None) -> str | None:
    """Return the track token of the customer's order with this id or this track token, or None."""
    digest = None if track_token is None else hashlib.sha256(track_token.encode()).digest()
    found: str | None = await sql.fetch_value(
        SELECT_TRACKED_ORDER, caller.owner_id, caller.store_id, caller.subject_id, order_id, digest
    )
    return found
