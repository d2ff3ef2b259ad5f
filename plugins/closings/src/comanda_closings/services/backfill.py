"""Counting the orders that no event has announced: those from before the plugin was installed.

It counts a store's orders by id, one slice at a time, and stores its progress in the store's row, as analytics does.
"""

from typing import Final

from comanda.platform.db import sql

from comanda_closings.services import day_counts

SLICE_SIZE: Final = 1000
MAX_STORES: Final = 50

SELECT_INCOMPLETE_STORES: Final = """
    SELECT t.store_id, t.owner_id FROM core_order_tally_v1 t
    LEFT JOIN closings_store c ON c.store_id = t.store_id AND c.owner_id = t.owner_id
    WHERE c.is_complete IS NOT TRUE ORDER BY t.store_id, t.owner_id LIMIT $1
"""
SELECT_NEXT_ORDERS: Final = """
    SELECT o.id FROM core_order_v1 o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.id > $3 ORDER BY o.id LIMIT $4
"""
UPDATE_PROGRESS: Final = """
    UPDATE closings_store SET counted_to = $3, is_complete = $4 WHERE store_id = $1 AND owner_id = $2
"""


async def backfill_stores() -> None:
    """Count all orders of every store that is not complete."""
    while stores := await sql.fetch(SELECT_INCOMPLETE_STORES, MAX_STORES):
        for store in stores:
            while not await count_slice(store["store_id"], store["owner_id"]):
                pass


async def count_slice(store_id: int, owner_id: int) -> bool:
    """Count the next orders of a store; return whether it is complete."""
    async with sql.transaction():
        (state,) = await day_counts.lock_stores([(store_id, owner_id)])
        if state["is_complete"]:
            return True
        rows = await sql.fetch(SELECT_NEXT_ORDERS, store_id, owner_id, state["counted_to"], SLICE_SIZE)
        ids = [row["id"] for row in rows]
        await day_counts.update_totals(ids, [owner_id] * len(ids), await day_counts.get_store_days([state]))
        is_complete = len(ids) < SLICE_SIZE
        await sql.execute(UPDATE_PROGRESS, store_id, owner_id, ids[-1] if ids else state["counted_to"], is_complete)
    return is_complete
