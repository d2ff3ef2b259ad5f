"""Which orders have packs of a batch, and which batches the lines of an order have."""

import csv
import io
from dataclasses import fields
from typing import Final

from comanda.basics import BYTE_ORDER_MARK, NotFound, to_cell
from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Status
from comanda.platform.db import sql

from comanda_pharmacy.records import BatchOrder, LineBatch
from comanda_pharmacy.services.batches import get_batch
from comanda_pharmacy.services.pharmacies import require_pharmacy

# More orders than a batch has packs there cannot be.
MAX_ROWS: Final = 100_000
CONTENT_TYPE: Final = "text/csv"
SELECT_ORDERS: Final = """
    SELECT o.id AS order_id, o.number, o.created_at, o.status, o.customer_id, o.customer_name, o.phone,
        sum(u.quantity)::int AS quantity
    FROM pharmacy_batch_use u JOIN core_order_v1 o ON o.id = u.order_id AND o.owner_id = u.owner_id
    WHERE u.batch_id = $1 AND u.owner_id = $2 AND NOT u.is_returned
    GROUP BY o.id, o.number, o.created_at, o.status, o.customer_id, o.customer_name, o.phone
    ORDER BY o.id DESC LIMIT $3 OFFSET $4
"""
COUNT_ORDERS: Final = """
    SELECT count(DISTINCT order_id) FROM pharmacy_batch_use WHERE batch_id = $1 AND owner_id = $2 AND NOT is_returned
"""
SELECT_LINE_BATCHES: Final = """
    SELECT u.line_id, b.id AS batch_id, b.number, b.best_before, u.quantity
    FROM pharmacy_batch_use u JOIN pharmacy_batch b ON b.id = u.batch_id AND b.owner_id = u.owner_id
    WHERE u.order_id = $1 AND u.owner_id = $2 AND NOT u.is_returned ORDER BY u.line_id, b.best_before, b.id
"""
HAS_ORDER: Final = "SELECT EXISTS (SELECT FROM core_order_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3)"


async def list_orders(caller: Caller, store_id: int, batch_id: int, page: PageRequest) -> RecordPage[BatchOrder]:
    """List the orders that have packs of a batch, newest first, 20 per page. Raises ``NotFound``."""
    await get_batch(caller, store_id, batch_id)
    rows = await sql.fetch(SELECT_ORDERS, batch_id, caller.owner_id, page.size(), page.offset())
    total = await sql.fetch_value(COUNT_ORDERS, batch_id, caller.owner_id)
    return page.of([BatchOrder(**{**row, "status": Status(row["status"])}) for row in rows], total)


async def export_orders(caller: Caller, store_id: int, batch_id: int) -> Answer:
    """Return the orders that have packs of a batch as CSV. Raises ``NotFound``."""
    batch = await get_batch(caller, store_id, batch_id)
    rows = await sql.fetch(SELECT_ORDERS, batch_id, caller.owner_id, MAX_ROWS, 0)
    names = [field.name for field in fields(BatchOrder)]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows([to_cell(row[name]) for name in names] for row in rows)
    headers = {"Content-Disposition": f'attachment; filename="batch-{batch.id}.csv"'}
    body = f"{BYTE_ORDER_MARK}{text.getvalue()}".encode()
    return Answer(body, headers=headers, content_type=f"{CONTENT_TYPE}; charset=utf-8")


async def list_line_batches(caller: Caller, store_id: int, order_id: int) -> list[LineBatch]:
    """List the batches that the lines of an order have. Raises ``NotFound``."""
    await require_pharmacy(caller, store_id)
    if not await sql.fetch_value(HAS_ORDER, order_id, caller.owner_id, store_id):
        raise NotFound
    return [LineBatch(**row) for row in await sql.fetch(SELECT_LINE_BATCHES, order_id, caller.owner_id)]
