"""Queries of orders, each in one statement."""

import hashlib
from typing import Any

import orjson

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.order_status import Status
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.orders import sections
from comanda.orders.balance import calculate_amount_due, is_paid
from comanda.orders.records import ORDER_COLUMNS, to_order_record, to_order_summary
from comanda.stores.services import require_store

PER_PAGE = 30
# The tracking page of an order is available for this long after the order ended.
TRACKED_DAYS = 30

ORDER_LINES = """(
    SELECT json_agg(json_build_object('id', l.id, 'item_id', l.item_id, 'name', l.name, 'quantity', l.quantity,
        'unit_price_minor', l.unit_price_minor, 'variation', l.variation, 'extras', l.extras, 'note', l.note,
        'discount_minor', l.discount_minor, 'tax_minor', l.tax_minor, 'total_minor', l.total_minor) ORDER BY l.position)
    FROM core_order_line l WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS lines"""

SELECT_ORDER = f"""
    SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3
"""
SELECT_TRACKED_ORDER = f"""
    SELECT o.id, o.owner_id, o.type, o.status, o.delivery_status, o.payment_status, o.currency, o.total_minor,
           o.paid_minor, o.refunded_minor, o.paid_at, o.timeline, o.updated_at, {ORDER_LINES}
    FROM core_order o JOIN core_owner w ON w.id = o.owner_id
    WHERE o.track_hash = $1 AND NOT w.is_suspended
"""
COUNT_ORDERS = f"SELECT {' + '.join(Status)} FROM core_order_tally WHERE store_id = $1 AND owner_id = $2"
COUNT_ORDERS_BY_STATUS = {
    status: f"SELECT {status} FROM core_order_tally WHERE store_id = $1 AND owner_id = $2" for status in Status
}
SELECT_ORDERS = f"""
    SELECT {ORDER_COLUMNS} FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2
    ORDER BY o.id DESC LIMIT $3 OFFSET $4
"""
SELECT_ORDERS_BY_STATUS = f"""
    SELECT {ORDER_COLUMNS} FROM core_order o WHERE o.store_id = $1 AND o.owner_id = $2 AND o.status = $5
    ORDER BY o.id DESC LIMIT $3 OFFSET $4
"""
ENDED_STATUSES = frozenset({Status.COMPLETED, Status.CANCELLED, Status.DELIVERED})


async def get_order(owner_id: int, store_id: int, order_id: int) -> dict[str, Any]:
    """Return an order. Raises ``NotFound``."""
    row = await sql.fetch_one(SELECT_ORDER, order_id, owner_id, store_id)
    if row is None:
        raise NotFound
    record = to_order_record(row, orjson.loads(row["lines"]), orjson.loads(row["timeline"]))
    return await sections.fill_order(owner_id, row, record)


async def find_order(caller: Caller, store_id: int, order_id: int) -> dict[str, Any]:
    """Return an order of the caller. Raises ``NotFound``."""
    if not caller.reaches(store_id):
        raise NotFound
    return await get_order(caller.owner_id, store_id, order_id)


async def get_body_hash(owner_id: int, order_id: int) -> bytes | None:
    """Return the hash of the body that placed an order."""
    found: bytes | None = await sql.fetch_value(
        "SELECT body_hash FROM core_order WHERE id = $1 AND owner_id = $2", order_id, owner_id
    )
    return found


async def list_orders(caller: Caller, store_id: int, page: PageRequest, status: str | None) -> dict[str, Any]:
    """List a store's orders, newest first, optionally of one kitchen status.

    The total comes from the store's tally, so a page costs the same for a thousand orders as for a million.
    """
    await require_store(caller, store_id)
    scope = (store_id, caller.owner_id)
    window = (page.size(PER_PAGE), page.offset(PER_PAGE))
    if status is None:
        total = await sql.fetch_value(COUNT_ORDERS, *scope)
        rows = await sql.fetch(SELECT_ORDERS, *scope, *window)
    elif status in COUNT_ORDERS_BY_STATUS:
        total = await sql.fetch_value(COUNT_ORDERS_BY_STATUS[Status(status)], *scope)
        rows = await sql.fetch(SELECT_ORDERS_BY_STATUS, *scope, *window, status)
    else:
        raise ValidationFailed(status=[f"Must be one of: {', '.join(Status)}."])
    return page.envelope([to_order_summary(row) for row in rows], total or 0, PER_PAGE)


async def get_tracking(track_token: str) -> dict[str, Any]:
    """Return the public record of an order. Raises ``NotFound``, also if it ended ``TRACKED_DAYS`` ago.

    The token is looked up by its hash, so that timing reveals nothing about existing tokens.
    """
    row = await sql.fetch_one(SELECT_TRACKED_ORDER, hashlib.sha256(track_token.encode()).digest())
    if row is None:
        raise NotFound
    if row["status"] in ENDED_STATUSES and (clock.now() - row["updated_at"]).days >= TRACKED_DAYS:
        raise NotFound
    record = {
        "id": row["id"],
        "status": row["status"],
        "delivery_status": row["delivery_status"],
        "is_paid": is_paid(row),
        "total": money.to_number(row["total_minor"], row["currency"]),
        "amount_due": money.to_number(calculate_amount_due(row), row["currency"]),
        "timeline": orjson.loads(row["timeline"]),
        "items": [{"name": line["name"], "quantity": line["quantity"]} for line in orjson.loads(row["lines"])],
    }
    return await sections.fill_tracking(row["owner_id"], row, record)
