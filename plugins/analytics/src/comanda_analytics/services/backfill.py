"""The backfill of orders without events: those from before this plugin, and all of a store whose time zone changed.

It counts a store's orders by id, one slice at a time, and stores its progress in the store's row. Between slices events
are handled as usual, and processes take turns; if one dies, another continues.
"""

from typing import Final

from comanda.platform.db import sql

from comanda_analytics.services import daily_totals

# A slice takes less than a second, during which events of the same store wait.
SLICE_SIZE: Final = 2000
MAX_STORES: Final = 50

# Every store with an order has a tally.
SELECT_INCOMPLETE_STORES = """
    SELECT t.store_id, t.owner_id FROM core_order_tally_v1 t
    JOIN core_store_v1 s ON s.id = t.store_id AND s.owner_id = t.owner_id
    LEFT JOIN analytics_store a ON a.store_id = t.store_id AND a.owner_id = t.owner_id
    WHERE a.is_complete IS NOT TRUE OR a.timezone <> s.timezone
    ORDER BY t.store_id, t.owner_id LIMIT $1
"""
SELECT_TIMEZONE = "SELECT timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
SELECT_NEXT_ORDERS = """
    SELECT o.id, o.owner_id, o.store_id, o.created_at, $4::text AS timezone FROM core_order_v1 o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.id > $3 ORDER BY o.id LIMIT $5
"""
UPDATE_PROGRESS = "UPDATE analytics_store SET counted_to = $3, is_complete = $4 WHERE store_id = $1 AND owner_id = $2"
RESET_STORE = (
    """
    DELETE FROM analytics_order a USING core_order_v1 o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND a.order_id = o.id AND a.owner_id = o.owner_id
    """,
    "DELETE FROM analytics_day WHERE store_id = $1 AND owner_id = $2",
    "DELETE FROM analytics_item_day WHERE store_id = $1 AND owner_id = $2",
    "UPDATE analytics_store SET counted_to = 0, is_complete = false WHERE store_id = $1 AND owner_id = $2",
)
SELECT_STORES = (
    "SELECT store_id, owner_id FROM core_order_tally_v1 WHERE $1::bigint IS NULL OR store_id = $1 ORDER BY store_id"
)


async def backfill_stores() -> None:
    """Count all orders of every store that is not complete in its current time zone."""
    while stores := await sql.fetch(SELECT_INCOMPLETE_STORES, MAX_STORES):
        for store in stores:
            await backfill_store(store["store_id"], store["owner_id"])


async def backfill_store(store_id: int, owner_id: int) -> None:
    """Count all orders of a store, continuing where the last run stopped."""
    while not await _backfill_slice(store_id, owner_id):
        pass


async def rebuild_totals(store_id: int | None) -> int:
    """Reset and recount the totals of one store, or of all; return the number of stores."""
    stores = await sql.fetch(SELECT_STORES, store_id)
    for store in stores:
        key = store["store_id"], store["owner_id"]
        async with sql.transaction():
            await daily_totals.lock_stores({key: await sql.fetch_value(SELECT_TIMEZONE, *key)})
            for statement in RESET_STORE:
                await sql.execute(statement, *key)
        await backfill_store(*key)
    return len(stores)


async def _backfill_slice(store_id: int, owner_id: int) -> bool:
    """Count the next orders of a store; return whether it is complete."""
    async with sql.transaction():
        zone = await sql.fetch_value(SELECT_TIMEZONE, store_id, owner_id)
        (state,) = await daily_totals.lock_stores({(store_id, owner_id): zone})
        if state["is_complete"]:
            return True
        orders = await sql.fetch(SELECT_NEXT_ORDERS, store_id, owner_id, state["counted_to"], zone, SLICE_SIZE)
        await daily_totals.update_totals(orders)
        is_complete = len(orders) < SLICE_SIZE
        counted_to = orders[-1]["id"] if orders else state["counted_to"]
        await sql.execute(UPDATE_PROGRESS, store_id, owner_id, counted_to, is_complete)
    return is_complete
