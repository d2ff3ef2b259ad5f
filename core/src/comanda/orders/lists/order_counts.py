"""Numbers of orders by status for each of an owner's stores, from their tallies."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from comanda.contracts.orders.status import Status
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.wire import StoreId
from comanda.platform.db import sql
from comanda.platform.db.replica.reads import read_from_replica

COLUMNS: Final = ", ".join(f"coalesce(t.{status}, 0) AS {status}" for status in Status)
OWN_STORES: Final = """
    s.owner_id = $1 AND ($2::bigint IS NULL OR s.id = $2) AND ($3::bigint IS NULL OR s.id = $3)
"""
COUNT_STORES: Final = f"SELECT count(*) FROM core_store s WHERE {OWN_STORES}"
SELECT_COUNTS: Final = f"""
    SELECT s.id AS store_id, {COLUMNS}, t.business_date, coalesce(t.last_number, 0) AS day_orders
    FROM core_store s LEFT JOIN core_order_tally t ON t.store_id = s.id AND t.owner_id = s.owner_id
    WHERE {OWN_STORES} ORDER BY s.title, s.id LIMIT $4 OFFSET $5
"""


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """How many orders of each status a store has.

    ``day_orders`` is how many were placed on ``business_date``, the last one with orders; null before the first order.
    """

    store_id: StoreId
    new: int
    preparing: int
    ready: int
    delivered: int
    completed: int
    cancelled: int
    business_date: date | None
    day_orders: int


@read_from_replica
async def list_counts(caller: Caller, store_id: int | None, page: PageRequest) -> RecordPage[OrderCounts]:
    """List the numbers of the caller's stores by title, or of one store."""
    owned = (caller.owner_id, caller.store_id, store_id)
    rows = await sql.fetch(SELECT_COUNTS, *owned, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_STORES, *owned))
    return page.of([OrderCounts(**dict(row)) for row in rows], total)
